import type { Client } from '@executor/client';
import { printable, type Source, type SourceProblem, type SourceProgress } from '@executor/protocol';
import pc from 'picocolors';
import { PresenceProof } from '../answer/presence-proof.ts';
import { connect } from '../connect.ts';
import { ago, jsonText, oneLine, printJson, printTable, self } from '../output.ts';
import { row, sourceLines, warningLine } from '../source/describe.ts';
import { progressText } from '../source/watch-loading.ts';

interface Listed {
  items: Source[];
  loading: SourceProgress[];
  problems: SourceProblem[];
}

export async function listSources({ json = false }: { json?: boolean }): Promise<void> {
  const { items, loading, problems } = await allSources(await connect());
  if (json) return printJson({ items, loading, problems });
  if (items.length === 0 && loading.length === 0)
    console.log(`There are no sources yet. \`${self} sources add URL-OR-FILE\` connects one.`);
  else {
    printTable(
      ['NAMESPACE', 'NAME', 'KIND', 'TOOLS', 'NEW', 'AUTH', 'CALLS GO TO', 'READ'],
      items.map((source) => sourceRow(source)),
    );
  }
  for (const load of loading) console.log(`${printable(load.namespace ?? load.name)}: ${progressText(load)}`);
  for (const { message } of problems) console.error(pc.yellow(`EXECUTOR_TOOL_SOURCES${printable(message)}`));
}

function sourceRow(source: Source): string[] {
  const { namespace, name, kind, toolCount, unseenCount, auth, baseUrl, loadedAt } = source;
  return [
    namespace,
    oneLine(name, 40),
    kind,
    String(toolCount),
    unseenCount === 0 ? '' : String(unseenCount),
    auth.type,
    oneLine(baseUrl ?? '', 60),
    ago(loadedAt),
  ];
}

/** All of them, page by page. */
export async function allSources(client: Client): Promise<Listed> {
  const items: Source[] = [];
  let cursor: string | undefined;
  for (;;) {
    const page = await client.sources.list({ limit: 200, ...(cursor !== undefined && { cursor }) });
    items.push(...page.items);
    cursor = page.nextCursor;
    if (cursor === undefined) return { items, loading: page.loading, problems: page.problems };
  }
}

export async function showSource(name: string, { json = false }: { json?: boolean }): Promise<void> {
  const client = await connect();
  const source = await client.sources.get({ id: name });
  if (json) return printJson(source);
  console.log(`${pc.bold(source.namespace)}  ${printable(source.name)}`);
  const { id, kind, url, toolCount, approval, settings, document, createdAt, loadedAt } = source;
  console.log(row('id', id));
  console.log(row('kind', kind));
  if (url !== undefined) console.log(row('document', printable(url)));
  if (document)
    console.log(
      row(
        url === undefined ? 'document' : '',
        `${document.bytes.toLocaleString('en')} bytes, ${printable(document.mediaType)}${url === undefined ? ', handed over as a file or text' : ''}`,
      ),
    );
  console.log(row('tools', `${toolCount.toLocaleString('en')}: ${self} tools ls ${source.namespace}`));
  for (const line of sourceLines({ ...source, warnings: [], warningCount: 0 })) console.log(line);
  if (source.warningCount > 0) console.log(row('warnings', `${source.warningCount}`));
  for (const { place, message } of source.warnings) console.log(warningLine(place, message));
  if (approval.read ?? approval.write) console.log(row('approval', jsonText(approval)));
  const { url: _, serverCa, ...rest } = settings;
  if (serverCa !== undefined) console.log(row('trust', 'the authorities that a person gave, and no others'));
  console.log(row('settings', jsonText(rest)));
  console.log(row('added', `${ago(createdAt)}, read ${ago(loadedAt)}`));
}

export async function removeSource(name: string, { json = false }: { json?: boolean }): Promise<void> {
  const client = await connect();
  await new PresenceProof().for((presence) => client.sources.remove({ id: name }, { presence }));
  if (json) return printJson({ source: name, removed: true });
  console.log(`${printable(name)} is disconnected; its tools are gone.`);
}

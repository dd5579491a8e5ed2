import type { Client } from '@executor/client';
import { printable, type Source, type SourceProblem, type SourceProgress } from '@executor/protocol';
import type { Environment } from '../../environment.ts';
import { ago, jsonText, oneLine } from '../../output.ts';
import { connect } from '../../server/connect.ts';
import { row, sourceLines, warningLine } from '../../source/describe.ts';
import { progressText } from '../../source/watch-loading.ts';
import { style } from '../../style.ts';

interface Listed {
  items: Source[];
  loading: SourceProgress[];
  problems: SourceProblem[];
}

export async function listSources(
  environment: Environment,
  { json = false }: { json?: boolean },
): Promise<void> {
  const { items, loading, problems } = await allSources(await connect(environment));
  if (json) return environment.printJson({ items, loading, problems });
  if (items.length === 0 && loading.length === 0)
    environment.print(`There are no sources yet. \`executor sources add URL-OR-FILE\` connects one.`);
  else {
    environment.printTable(
      ['NAMESPACE', 'NAME', 'KIND', 'TOOLS', 'NEW', 'AUTH', 'CALLS GO TO', 'READ'],
      items.map((source) => sourceRow(source)),
    );
  }
  for (const load of loading)
    environment.print(`${printable(load.namespace ?? load.name)}: ${progressText(load)}`);
  for (const { message } of problems)
    environment.printError(style.yellow(`EXECUTOR_TOOL_SOURCES${printable(message)}`));
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

export async function showSource(
  environment: Environment,
  name: string,
  { json = false }: { json?: boolean },
): Promise<void> {
  const client = await connect(environment);
  const source = await client.sources.get({ id: name });
  if (json) return environment.printJson(source);
  environment.print(`${style.bold(source.namespace)}  ${printable(source.name)}`);
  const { id, kind, url, toolCount, approval, settings, document, createdAt, loadedAt } = source;
  environment.print(row('id', id));
  environment.print(row('kind', kind));
  if (url !== undefined) environment.print(row('document', printable(url)));
  if (document)
    environment.print(
      row(
        url === undefined ? 'document' : '',
        `${document.bytes.toLocaleString('en')} bytes, ${printable(document.mediaType)}${url === undefined ? ', from a file or text' : ''}`,
      ),
    );
  environment.print(row('tools', `${toolCount.toLocaleString('en')}: executor tools ls ${source.namespace}`));
  for (const line of sourceLines({ ...source, warnings: [], warningCount: 0 })) environment.print(line);
  if (source.warningCount > 0) environment.print(row('warnings', `${source.warningCount}`));
  for (const { place, message } of source.warnings) environment.print(warningLine(place, message));
  if (approval.read ?? approval.write) environment.print(row('approval', jsonText(approval)));
  const { url: _, serverCa, ...rest } = settings;
  if (serverCa !== undefined)
    environment.print(row('trust', 'only the certificate authorities set with --server-ca'));
  environment.print(row('settings', jsonText(rest)));
  environment.print(row('added', `${ago(createdAt, environment.now())}, read ${ago(loadedAt)}`));
}

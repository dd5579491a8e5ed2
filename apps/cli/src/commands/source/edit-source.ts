import type { Client } from '@executor/client';
import { ExecutorError, type SourceChange } from '@executor/protocol';
import { PresenceProof } from '../../answer/presence-proof.ts';
import type { Environment } from '../../environment.ts';
import { connect } from '../../server/connect.ts';
import { sourceLines } from '../../source/describe.ts';
import { countsText, printDifference } from '../../source/difference.ts';
import { readDocument } from '../../source/document-location.ts';
import { pairs, type SettingOptions, settingsOf } from '../../source/settings.ts';
import { loadingMs, watchLoading } from '../../source/watch-loading.ts';
import { style } from '../../style.ts';
import { toolsOf } from '../tools.ts';
import { renameSource } from './rename-source.ts';

interface EditOptions extends SettingOptions {
  url?: string;
  document?: string;
  effect?: string[];
  repeatable?: string[];
  reset?: string[];
  acceptSuggestions?: string | true;
  seen?: string | true;
  namespace?: string;
  yes?: boolean;
}

export async function editSource(
  environment: Environment,
  name: string,
  options: EditOptions,
): Promise<void> {
  const { url, document, baseUrl, acceptSuggestions, seen, json = false } = options;
  if (options.namespace !== undefined) return renameSource(environment, name, options);
  const tools = editsOf(options);
  const change: SourceChange = {
    ...(await settingsOf(environment, options)),
    ...(url !== undefined && { url }),
    ...(document !== undefined && (await readDocument(environment, document))),
    ...(baseUrl !== undefined && { baseUrl: baseUrl === 'none' ? null : baseUrl }),
    ...(Object.keys(tools).length > 0 && { tools }),
    ...(seen !== undefined && { seen: pathsOf(seen) }),
  };
  if (Object.keys(change).length === 0 && acceptSuggestions === undefined)
    throw new ExecutorError(
      'usage',
      `Pass at least one setting to change. \`executor sources edit --help\` lists them.`,
    );
  const client = await connect(environment);
  if (acceptSuggestions !== undefined)
    change.acceptSuggestions = await suggestedPaths(client, name, acceptSuggestions);
  const source = await new PresenceProof(environment).for((presence) =>
    watchLoading(environment, client, () =>
      client.sources.update({ id: name, ...change }, { presence, timeoutMs: loadingMs }),
    ),
  );
  if (json) return environment.printJson(source);
  const { difference, namespace } = source;
  environment.print(`Changed ${style.bold(namespace)}${difference ? `: ${countsText(difference)}` : '.'}`);
  if (difference) printDifference(environment, difference);
  for (const line of sourceLines(source)) environment.print(line);
}

type Edits = NonNullable<SourceChange['tools']>;

function editsOf({ effect = [], repeatable = [], reset = [] }: EditOptions): Edits {
  const edits: Edits = Object.fromEntries(reset.map((path) => [path, null]));
  for (const [path, value] of Object.entries(pairs(effect, '=', '--effect PATH=EFFECT'))) {
    if (value !== 'read' && value !== 'write' && value !== 'destructive')
      throw new ExecutorError('usage', `--effect must be read, write or destructive, got "${value}".`);
    edits[path] = { ...edits[path], effect: value };
  }
  for (const [path, value] of Object.entries(pairs(repeatable, '=', '--repeatable PATH=BOOLEAN'))) {
    if (value !== 'true' && value !== 'false')
      throw new ExecutorError('usage', `--repeatable must be true or false, got "${value}".`);
    edits[path] = { ...edits[path], repeatable: value === 'true' };
  }
  return edits;
}

/** The current suggestions. The user has not seen those of a later refresh. */
async function suggestedPaths(client: Client, source: string, paths: string | true): Promise<string[]> {
  if (paths !== true) return paths.split(',').map((path) => path.trim());
  const { items } = await toolsOf(client, source, { only: 'suggested', maximum: Number.MAX_SAFE_INTEGER });
  return items.map(({ path }) => path);
}

function pathsOf(paths: string | true): true | string[] {
  return paths === true ? true : paths.split(',').map((path) => path.trim());
}

import { readFile } from 'node:fs/promises';
import type { Client } from '@executor/client';
import {
  type DiscoveredTools,
  decisionWords,
  ExecutorError,
  nearest,
  printable,
  type Tool,
  type ToolQuery,
  type ToolSummary,
} from '@executor/protocol';
import { parseTypedJson } from '../answer/form.ts';
import type { Environment } from '../environment.ts';
import { indented, jsonText, oneLine } from '../output.ts';
import { connect } from '../server/connect.ts';
import { row } from '../source/describe.ts';
import { style } from '../style.ts';
import { inputFromAssignments, isAssignment } from '../tool/assignments.ts';
import { call } from './run/call.ts';
import { allSources } from './source/sources.ts';

interface ListOptions {
  filter?: string;
  only?: ToolQuery['only'];
  limit: string;
  json?: boolean;
}

export async function listTools(
  environment: Environment,
  source: string | undefined,
  options: ListOptions,
): Promise<void> {
  const limit = wholeNumber('--limit', options.limit);
  const client = await connect(environment);
  const { items: sources } = source === undefined ? await allSources(client) : { items: [] };
  const names =
    source === undefined
      ? [...sources.map(({ namespace }) => namespace), 'executor', 'describe', 'discover']
      : [source];
  const items: ToolSummary[] = [];
  let total = 0;
  for (const name of names) {
    const found = await toolsOf(client, name, { ...options, maximum: limit }).catch(orCommand(name));
    items.push(...found.items);
    total += found.total;
  }
  if (options.json) return environment.printJson({ items, total });
  if (items.length === 0) return environment.print('No tool matches.');
  environment.printTable(
    ['PATH', 'EFFECT', 'DECISION', 'DESCRIPTION'],
    items.map((tool) => [
      printable(tool.path),
      effectText(tool),
      decisionWords[tool.approval],
      oneLine(tool.description, 80),
    ]),
  );
  if (total > items.length)
    environment.printError(
      style.dim(`${items.length} of ${total} are shown. Use --filter and --limit to see others.`),
    );
}

/** Suggests a command if the name of an unknown source resembles one. */
function orCommand(word: string): (error: unknown) => never {
  return (error) => {
    const meant = nearest(word, ['search', 'describe', 'call']);
    if (!(error instanceof ExecutorError) || error.code !== 'notFound' || meant === undefined) throw error;
    const message = `${error.message} Or did you mean the command \`executor tools ${meant}\`?`;
    throw new ExecutorError(error.code, message, { cause: error });
  };
}

function effectText({ effect, unseen, suggestion, edited, deprecated }: ToolSummary): string {
  const notes = [
    unseen && 'new',
    edited && 'edited',
    suggestion?.effect && `${suggestion.effect}?`,
    suggestion?.repeatable && 'repeatable?',
    deprecated && 'deprecated',
  ];
  return [effect, ...notes.filter(Boolean)].join(', ');
}

export async function toolsOf(
  client: Client,
  id: string,
  { filter, only, maximum }: Pick<ListOptions, 'filter' | 'only'> & { maximum: number },
): Promise<{ items: ToolSummary[]; total: number }> {
  const items: ToolSummary[] = [];
  let cursor: string | undefined;
  for (;;) {
    const page = await client.sources.tools({
      id,
      limit: Math.min(200, maximum - items.length),
      ...(filter !== undefined && { filter }),
      ...(only !== undefined && { only }),
      ...(cursor !== undefined && { cursor }),
    });
    items.push(...page.items);
    cursor = page.nextCursor;
    if (cursor === undefined || items.length >= maximum) return { items, total: page.total };
  }
}

interface SearchOptions {
  limit: string;
  depth?: string;
  namespace?: string;
  explain?: boolean;
  json?: boolean;
}

type DiscoveredTool = DiscoveredTools['results'][number];

export async function searchTools(
  environment: Environment,
  words: string[],
  options: SearchOptions,
): Promise<void> {
  const limit = wholeNumber('--limit', options.limit, maxFound);
  const depth = options.depth === undefined ? undefined : wholeNumber('--depth', options.depth, maxDepth);
  const { namespace, explain } = options;
  const client = await connect(environment);
  const found = await client.tools.discover({
    query: words.join(' '),
    limit,
    ...(depth !== undefined && { depth }),
    ...(namespace !== undefined && { namespace }),
    ...(explain && { explain: 'true' }),
  });
  if (options.json) return environment.printJson(found);
  for (const tool of found.results) {
    environment.print(
      `${style.bold(printable(tool.path))}${tool.approval === 'allow' ? '' : style.dim(`  ${decisionWords[tool.approval]}`)}`,
    );
    environment.print(indented(oneLine(tool.description, 120)));
    if (depth !== undefined) environment.print(indented(tool.signature));
    for (const line of reasons(tool)) environment.print(style.dim(indented(line)));
  }
  if (found.hint) environment.printError(style.dim(printable(asTyped(found.hint))));
}

/** Replaces calls of code in a hint by the equivalent commands. */
function asTyped(hint: string): string {
  return hint
    .replace(/tools\.describe\.namespace\(\{ path(?:: "([^"]*)")? \}\)/g, (_, path?: string) => {
      const [namespace = 'NS', ...rest] = path?.split('.') ?? [];
      return `executor tools ls ${namespace}${rest.length > 0 ? ` --filter ${rest.join('.')}` : ''}`;
    })
    .replace('tools.discover({ query })', 'executor tools search');
}

function reasons({ why }: DiscoveredTool): string[] {
  return (why ? explained(why) : []).map(printable);
}

/** The purpose, the matched words, the missing words, the meaning and the other signals, one per line. */
function explained({
  need,
  words,
  missing,
  signs,
  meaning,
  meaningBy,
  score,
}: NonNullable<DiscoveredTool['why']>): string[] {
  return [
    ...(need === undefined ? [] : [`for "${need}"`]),
    ...words.map(({ word, as, via, in: places, worth }) => {
      const means = via === 'itself' ? word : `${word} (${via}: ${as})`;
      return places.length > 0 ? `${means} in ${places.join(', ')}: ${worth}` : means;
    }),
    ...(missing.length > 0 ? [`without ${missing.join(', ')}`] : []),
    ...(meaning === undefined
      ? []
      : [`similar meaning${meaningBy ? ' by the language model' : ''}: ${meaning}`]),
    ...signs,
    `score ${score}`,
  ];
}

interface DescribeOptions {
  depth?: string;
  schemas?: boolean;
  json?: boolean;
}

export async function describeTool(
  environment: Environment,
  written: string,
  options: DescribeOptions,
): Promise<void> {
  const depth = options.depth === undefined ? undefined : wholeNumber('--depth', options.depth, maxDepth);
  const path = plainPath(written);
  const client = await connect(environment);
  const tool = await client.tools
    .get({ path, ...(depth !== undefined && { depth }) })
    .catch((error: unknown) => {
      if (!(error instanceof ExecutorError) || error.code !== 'notFound') throw error;
      throw new ExecutorError(error.code, asTyped(error.message), {
        cause: error,
        ...(error.details && { details: error.details }),
      });
    });
  if (options.json) return environment.printJson(tool);
  environment.print(`${style.bold(printable(tool.path))}  ${effectText(tool)}`);
  environment.print(indented(tool.description));
  environment.print(
    row('decision', `${decisionWords[tool.approval]}, unless a rule on its input decides otherwise`),
  );
  environment.print(row('repeatable', tool.repeatable ? 'yes' : 'no'));
  environment.print(row('credentials', authText(tool)));
  environment.print(row('from', printable(jsonText(tool.origin))));
  if (tool.suggestion) environment.print(row('suggestion', printable(tool.suggestion.why)));
  environment.print(`\n${printable(tool.signature)}\n\n${style.dim('Example:')}\n${printable(tool.example)}`);
  if (options.schemas) printSchemas(environment, tool);
  else environment.print(style.dim('\n--depth 5 shows more types, --schemas shows the JSON Schemas.'));
}

function authText({ auth: { state, message }, origin }: Tool): string {
  if (state === 'missing') return style.yellow(`missing: ${printable(message ?? '')}`);
  if (state === 'ready') return 'set';
  // Many documents do not declare the credentials that their system needs.
  return 'method' in origin ? 'its document asks for none' : 'none are needed';
}

function printSchemas(
  environment: Environment,
  { inputSchema, outputSchema, definitions, definitionsCut }: Tool,
): void {
  const schemas = { inputSchema, outputSchema, definitions, definitionsCut };
  environment.print(`\n${printable(JSON.stringify(schemas, null, 2))}`);
}

/** Limits of the server. */
const maxFound = 50;
const maxDepth = 20;

function wholeNumber(option: string, text: string, maximum = Number.MAX_SAFE_INTEGER): number {
  const value = Number(text);
  if (Number.isInteger(value) && value >= 1 && value <= maximum) return value;
  const range = maximum === Number.MAX_SAFE_INTEGER ? 'from 1' : `from 1 to ${maximum}`;
  throw new ExecutorError('usage', `${option} must be a number ${range}, got "${text}".`);
}

/** A path may be typed as in code, with `tools.`. */
function plainPath(path: string): string {
  return path.replace(/^tools\./, '');
}

type CallOptions = Parameters<typeof call>[2];

export async function callTool(
  environment: Environment,
  written: string,
  words: string[],
  options: CallOptions,
): Promise<void> {
  const path = plainPath(written);
  if (!/^[\p{L}_$][\p{L}\p{N}\p{M}_$]*(\.[\p{L}_$][\p{L}\p{N}\p{M}_$]*)*$/u.test(path))
    throw new ExecutorError('usage', `"${path}" is not the path of a tool, such as github.issues.create.`);
  const json = words.some(isAssignment)
    ? await readAssignments(environment, path, words)
    : await readInput(environment, words);
  // In an expression a key such as __proto__ has another meaning than in JSON.
  const argument = json.includes('__proto__') ? `JSON.parse(${JSON.stringify(json)})` : json;
  return call(environment, `return await tools.${path}(${argument})`, options);
}

/** The schema of the tool types the values. A tool that does not exist is reported by the run, with the nearest ones. */
async function readAssignments(environment: Environment, path: string, words: string[]): Promise<string> {
  const client = await connect(environment);
  const tool = await client.tools.get({ path }).catch(() => ({ inputSchema: true }));
  return JSON.stringify(inputFromAssignments(words, tool));
}

async function readInput(environment: Environment, [input = '{}', ...others]: string[]): Promise<string> {
  if (others.length > 0)
    throw new ExecutorError(
      'usage',
      `The input is one JSON value, or field=value words, got also "${others[0]}".`,
    );
  const json = await readText(environment, input);
  parseTypedJson(json, 'The input');
  return json;
}

async function readText(environment: Environment, input: string): Promise<string> {
  if (input === '-') return environment.readInput();
  if (!input.startsWith('@')) return input;
  try {
    return await readFile(environment.path(input.slice(1)), 'utf8');
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    throw new ExecutorError(
      'usage',
      `Cannot read ${input.slice(1)}: ${code === 'ENOENT' ? 'there is no such file' : code}.`,
      { cause },
    );
  }
}

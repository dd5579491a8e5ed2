import { readFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import type { Client } from '@executor/client';
import { ExecutorError, printable, type Tool, type ToolQuery, type ToolSummary } from '@executor/protocol';
import pc from 'picocolors';
import { parseTypedJson } from '../answer/form.ts';
import { connect } from '../connect.ts';
import { indented, jsonText, oneLine, printJson, printTable } from '../output.ts';
import { row } from '../source/describe.ts';
import { call } from './call.ts';
import { allSources } from './sources.ts';

interface ListOptions {
  filter?: string;
  only?: ToolQuery['only'];
  limit: string;
  json?: boolean;
}

export async function listTools(source: string | undefined, options: ListOptions): Promise<void> {
  const limit = Number(options.limit);
  if (!Number.isInteger(limit) || limit < 1)
    throw new ExecutorError('usage', `--limit takes a number from 1, got "${options.limit}".`);
  const client = await connect();
  const { items: sources } = source === undefined ? await allSources(client) : { items: [] };
  const names = source === undefined ? [...sources.map(({ namespace }) => namespace), 'executor'] : [source];
  const items: ToolSummary[] = [];
  let total = 0;
  for (const name of names) {
    const found = await toolsOf(client, name, { ...options, most: limit });
    items.push(...found.items);
    total += found.total;
  }
  if (options.json) return printJson({ items, total });
  if (items.length === 0) return console.log('There is no such tool.');
  printTable(
    ['PATH', 'EFFECT', 'DECISION', 'DESCRIPTION'],
    items.map((tool) => [
      printable(tool.path),
      effectText(tool),
      tool.approval,
      oneLine(tool.description, 80),
    ]),
  );
  if (total > items.length)
    console.error(pc.dim(`${items.length} of ${total} are shown; --filter and --limit choose others.`));
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
  { filter, only, most }: Pick<ListOptions, 'filter' | 'only'> & { most: number },
): Promise<{ items: ToolSummary[]; total: number }> {
  const items: ToolSummary[] = [];
  let cursor: string | undefined;
  for (;;) {
    const page = await client.sources.tools({
      id,
      limit: Math.min(200, most - items.length),
      ...(filter !== undefined && { filter }),
      ...(only !== undefined && { only }),
      ...(cursor !== undefined && { cursor }),
    });
    items.push(...page.items);
    cursor = page.nextCursor;
    if (cursor === undefined || items.length >= most) return { items, total: page.total };
  }
}

export async function describeTool(path: string, { json = false }: { json?: boolean }): Promise<void> {
  const client = await connect();
  const tool = await client.tools.get({ path });
  if (json) return printJson(tool);
  console.log(`${pc.bold(printable(tool.path))}  ${effectText(tool)}`);
  console.log(indented(tool.description));
  console.log(row('decision', `${tool.approval}, where no rule on its input says otherwise`));
  console.log(row('repeatable', tool.repeatable ? 'yes' : 'no'));
  console.log(row('from', printable(jsonText(tool.origin))));
  if (tool.suggestion) console.log(row('suggestion', printable(tool.suggestion.why)));
  printFields(tool);
  if (tool.outputSchema !== undefined) console.log(`Answers: ${oneLine(schemaText(tool.outputSchema), 200)}`);
  console.log(pc.dim('--json has the schemas.'));
}

function printFields({ inputSchema }: Tool): void {
  const { properties = {}, required = [] } = (typeof inputSchema === 'object' ? inputSchema : {}) as {
    properties?: Record<string, unknown>;
    required?: string[];
  };
  console.log(Object.keys(properties).length === 0 ? 'Takes nothing.' : 'Takes:');
  for (const [name, schema] of Object.entries(properties)) {
    const mark = required.includes(name) ? '' : '?';
    const { description } = (schema ?? {}) as { description?: unknown };
    const about = typeof description === 'string' ? `  ${oneLine(description, 80)}` : '';
    console.log(`  ${printable(name)}${mark}: ${oneLine(schemaText(schema), 60)}${pc.dim(about)}`);
  }
}

/** A schema in a word or two. */
function schemaText(schema: unknown): string {
  if (typeof schema !== 'object' || schema === null) return 'anything';
  const { type, enum: values, $ref, items } = schema as Record<string, unknown>;
  if (Array.isArray(values)) return values.map((value) => JSON.stringify(value)).join(' | ');
  if (typeof $ref === 'string') return $ref.replace(/^.*\//, '');
  if (type === 'array') return `${schemaText(items)}[]`;
  return Array.isArray(type) ? type.join(' | ') : typeof type === 'string' ? type : 'anything';
}

type CallOptions = Parameters<typeof call>[1];

export async function callTool(path: string, input: string | undefined, options: CallOptions): Promise<void> {
  if (!/^[A-Za-z_$][\w$]*(\.[A-Za-z_$][\w$]*)+$/.test(path))
    throw new ExecutorError('usage', `"${path}" is no path of a tool, such as github.issues.create.`);
  const json = await readInput(input);
  parseTypedJson(json, 'The input');
  // As an expression, a key such as __proto__ would mean something else than as JSON.
  const argument = json.includes('__proto__') ? `JSON.parse(${JSON.stringify(json)})` : json;
  return call(`return await tools.${path}(${argument})`, options);
}

async function readInput(input: string | undefined): Promise<string> {
  if (input === undefined) return '{}';
  if (input === '-') return text(process.stdin);
  if (!input.startsWith('@')) return input;
  try {
    return await readFile(input.slice(1), 'utf8');
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    throw new ExecutorError(
      'usage',
      `Cannot read ${input.slice(1)}: ${code === 'ENOENT' ? 'there is no such file' : code}.`,
      { cause },
    );
  }
}

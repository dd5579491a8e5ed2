import type { Definitions, JsonSchema, Tool } from '@executor/engine';
import { isLargeInteger } from '@executor/engine';
import type { OperationPlan, ParameterPlan } from '../operation.ts';
import { writeQueryParameter } from '../request/query-parameter.ts';

export interface Link {
  url: string;
  /** The input of the call that fetches it, if it is the same operation. */
  input?: Record<string, unknown>;
}

/** The call whose response has the links. */
export interface LinkContext {
  plan: OperationPlan;
  tool: Pick<Tool, 'inputSchema' | 'definitions'>;
  input: unknown;
  /** The URL as sent, without credentials. */
  requestUrl: string;
  /** Query parameters that are credentials: servers repeat them in their links. */
  secretNames?: string[];
}

const maxLinks = 50;

/** The links of a response by relation (RFC 8288): `next`, `prev`, `last`, … */
export function linksOf(
  header: string | string[] | undefined,
  base: string,
  call: LinkContext,
): Record<string, Link> {
  const links: [string, Link][] = [];
  let parsed = 0;
  for (const { target, relations } of parseLinks(Array.isArray(header) ? header.join(',') : (header ?? ''))) {
    if (relations.length === 0 || !URL.canParse(target, base)) continue;
    if (++parsed > maxLinks) break;
    const url = withoutSecrets(new URL(target, base), call.secretNames ?? []);
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
    const parameters = splitOutside(value.slice(end + 1), ';');
    const relation = parameters.find((parameter) => /^\s*rel\s*=/i.test(parameter)) ?? '';
    const relations = relation
      .slice(relation.indexOf('=') + 1)
      .trim()
      .slice(0, 500)
      .replace(/^"|"$/g, '')
      .toLowerCase()
      .split(/\s+/)
      .filter(Boolean)
      .slice(0, 10);
    yield { target, relations };
  }
}

/** Splits a header at separators outside of quotes and angle brackets. */
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

function withoutSecrets(url: URL, names: string[]): URL {
  for (const name of names) if (url.searchParams.has(name)) url.searchParams.delete(name);
  return url;
}

/**
 * The input that a link stands for. Undefined if the link points to another host, has an unknown query parameter, or repeats the same call: code that follows links until
 * there are none would loop forever.
 */
function inputFor(
  url: URL,
  { plan, tool, input, requestUrl }: LinkContext,
): Record<string, unknown> | undefined {
  const request = new URL(requestUrl);
  if (url.origin !== request.origin) return undefined;
  const next = { ...(input as Record<string, unknown>) };
  const unknownNames = new Set(url.searchParams.keys());
  let changed = false;
  for (const parameter of plan.parameters.filter((one) => one.in === 'query')) {
    const { field } = parameter;
    const before = queryOf(parameter, next[field]);
    const names = new Set([...before.keys(), parameter.name]);
    for (const name of names) unknownNames.delete(name);
    if ([...names].every((name) => isSame(url.searchParams.getAll(name), before.getAll(name)))) continue;
    const change = changeIn(url, parameter, { names, tool });
    if (change === undefined) return undefined;
    if ('dropped' in change) delete next[field];
    else next[field] = change.value;
    changed = true;
  }
  for (const name of unknownNames) {
    if (!isSame(url.searchParams.getAll(name), request.searchParams.getAll(name))) return undefined;
  }
  return changed ? next : undefined;
}

/** The new value of a parameter in a link, or that the link drops it. Undefined if the link cannot be expressed as a call. */
function changeIn(
  url: URL,
  parameter: ParameterPlan,
  { names, tool }: { names: Set<string>; tool: LinkContext['tool'] },
): { value: unknown } | { dropped: true } | undefined {
  const { field, name } = parameter;
  if (![...names].some((one) => url.searchParams.has(one)))
    return isRequired(tool, field) ? undefined : { dropped: true };
  const texts = url.searchParams.getAll(name);
  if (texts.length === 0) return undefined;
  const value = coerce(texts, propertySchema(tool, field), tool.definitions);
  const isWritable = value !== undefined && isSame(queryOf(parameter, value).getAll(name), texts);
  return isWritable ? { value } : undefined;
}

function isRequired({ inputSchema }: LinkContext['tool'], field: string): boolean {
  const { required } = inputSchema as { required?: string[] };
  return required?.includes(field) ?? false;
}

function queryOf(parameter: ParameterPlan, value: unknown): URLSearchParams {
  return new URLSearchParams(writeQueryParameter(parameter, value).join('&'));
}

function isSame(one: string[], other: string[]): boolean {
  return one.length === other.length && one.every((text, index) => text === other[index]);
}

function propertySchema({ inputSchema }: LinkContext['tool'], field: string): JsonSchema | undefined {
  const { properties } = inputSchema as { properties?: Record<string, JsonSchema> };
  return properties && Object.hasOwn(properties, field) ? properties[field] : undefined;
}

/** Converts query text to the schema's type; undefined if that is ambiguous. */
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
  if ((types.has('integer') || types.has('number')) && /^-?\d+(\.\d+)?$/.test(text))
    return isLargeInteger(text) ? text : Number(text);
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

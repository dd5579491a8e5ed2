import type { CredentialNames } from '@executor/engine';
import type { BodyPlan, OperationPlan, ParameterPlan } from '../../operation.ts';
import type { InputSchema } from '../integer-text.ts';
import { writeQueryParameter } from '../query-parameter.ts';
import { textOf } from '../shape.ts';
import { declaredKeys } from './declared-keys.ts';
import { isOverrideField } from './method-override.ts';
import { simplified } from './similar-names.ts';

/** A name under which a request carries a value. */
export interface SentName {
  in: 'path' | 'query' | 'cookie' | 'form' | 'json';
  /** As a server decodes it. */
  name: string;
  /** The input field or setting that it comes from, for messages. */
  origin: string;
  /** The input field that it belongs to, if it belongs to one. */
  field?: string;
  /** Whether the caller chose the name as a key of an object. Otherwise the document or a user did. */
  isChosen: boolean;
  /** The pair of name and value as it is sent, if the name has one value. */
  pair?: string;
}

type Fields = Record<string, unknown>;

/** The names of the query and cookie parameters that have a value. */
export function parameterNames(parameters: readonly ParameterPlan[], fields: Fields): SentName[] {
  return parameters.flatMap((parameter) => {
    const value = Object.hasOwn(fields, parameter.field) ? fields[parameter.field] : undefined;
    if (value === undefined || value === null) return [];
    if (parameter.in === 'header' && parameter.name.toLowerCase() === 'cookie')
      return cookieNames(parameter, value);
    return parameter.in === 'query' || parameter.in === 'cookie'
      ? pairNames(parameter, value, { in: parameter.in, field: parameter.field, isChosen: false })
      : [];
  });
}

type Part = Parameters<typeof writeQueryParameter>[0];

/** The names that a value with a style is written under: its own, or those of its properties. */
function pairNames(
  part: Part,
  value: unknown,
  sent: Pick<SentName, 'in' | 'isChosen'> & { field: string },
): SentName[] {
  const isObject = typeof value === 'object' && !Array.isArray(value) && !part.content;
  const namesKeys = isObject && (part.explode || part.style === 'deepObject');
  const pairs = groupBy(writeQueryParameter(part, value), nameOfPair);
  return [...pairs].map(([name, all]) => ({
    ...sent,
    name,
    origin: namesKeys && part.style !== 'deepObject' ? `${sent.field}.${name}` : sent.field,
    isChosen: sent.isChosen || namesKeys,
    ...(all.length === 1 && { pair: all[0] }),
  }));
}

/** A document may declare the whole header as a parameter. */
function cookieNames({ field }: ParameterPlan, value: unknown): SentName[] {
  return String(value)
    .split(';')
    .map((pair) => (pair.split('=')[0] ?? '').trim())
    .map((name) => ({ in: 'cookie', name, origin: field, field, isChosen: true }));
}

/** The names of the fields of a body. */
export function bodyNames(plan: BodyPlan, value: unknown, schema: InputSchema): SentName[] {
  const { kind, from, parts = {} } = plan;
  if (kind === 'text' || kind === 'binary') return [];
  if (typeof value !== 'object' || value === null)
    return kind === 'form' && from.type === 'field' ? textNames(textOf(value), from.field) : [];
  if (kind === 'json' && Array.isArray(value)) return [];
  const isDeclared = declaredIn(from, schema);
  return Object.entries(value).flatMap(([property, one]) => {
    const { field, isChosen } = isDeclared(property);
    const part = Object.hasOwn(parts, property) ? parts[property] : undefined;
    const sent: SentName = {
      in: kind === 'json' ? 'json' : 'form',
      name: property,
      origin: field,
      field,
      isChosen,
    };
    if (kind !== 'form' || part?.style === undefined)
      return one === undefined || (one === null && kind !== 'json') ? [] : [sent];
    const { style, explode = true } = part;
    return pairNames({ name: property, style, explode }, one, { in: 'form', field, isChosen });
  });
}

/** Returns the input field of a property, and whether the caller chose its name. */
function declaredIn(
  from: BodyPlan['from'],
  schema: InputSchema,
): (property: string) => { field: string; isChosen: boolean } {
  if (from.type === 'fields') {
    const fieldOf = new Map(Object.entries(from.fields).map(([field, name]) => [name, field]));
    return (property) => ({ field: fieldOf.get(property) ?? property, isChosen: !fieldOf.has(property) });
  }
  const declared = declaredKeys(from.field, schema);
  return (property) => ({
    field: `${from.field}.${property}`,
    // The effect of the tool does not cover a method override within a whole body.
    isChosen: !declared.has(property) || isOverrideField(simplified(property)),
  });
}

/**
 * The names in the text of a whole form, which old servers split at semicolons too. The text is one value for rules and reviewers, so
 * its names may be alike.
 */
function textNames(text: string, field: string): SentName[] {
  const names = new Set(text.split(/[&;]/).map(nameOfPair));
  names.delete('');
  return [...names].map((name) => ({ in: 'form', name, origin: field, field, isChosen: true }));
}

/** All names that the document declares for input fields, whether they have a value or not. */
export function declaredNames({ parameters, body }: OperationPlan): SentName[] {
  const named = (location: SentName['in'], name: string, field: string): SentName => ({
    in: location,
    name,
    origin: field,
    field,
    isChosen: false,
  });
  const own = parameters.flatMap(({ in: location, name, field }) =>
    location === 'header' ? [] : [named(location, name, field)],
  );
  if (body === undefined || body.from.type === 'field') return own;
  const location = body.kind === 'json' ? 'json' : 'form';
  const fields = Object.entries({ ...body.files?.fields, ...body.from.fields });
  return [...own, ...fields.map(([field, name]) => named(location, name, field))];
}

/** A header of a credential replaces one of the same name, so only its query and cookies can meet other names. */
export function credentialNames({ query = [], cookies = [] }: Partial<CredentialNames> = {}): SentName[] {
  const named = (location: SentName['in']) => (name: string) => ({
    in: location,
    name,
    origin: `the credential ${name}`,
    isChosen: false,
  });
  return [...query.map(named('query')), ...cookies.map(named('cookie'))];
}

/** The names in a query that is part of a URL. A placeholder may stand in a name, whose value the caller chooses. */
export function queryNames(query: string, origin: string, template = query): SentName[] {
  const templates = template.split('&');
  return query.split('&').flatMap((pair, index) => {
    if (pair === '') return [];
    const isChosen = /^[^=]*\{/.test(templates[index] ?? '');
    return [{ in: 'query' as const, name: nameOfPair(pair), origin, isChosen, pair }];
  });
}

function nameOfPair(pair: string): string {
  const name = (pair.split('=')[0] ?? '').replaceAll('+', ' ');
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}

export function groupBy<Item>(items: readonly Item[], keyOf: (item: Item) => string): Map<string, Item[]> {
  const groups = new Map<string, Item[]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group) group.push(item);
    else groups.set(key, [item]);
  }
  return groups;
}

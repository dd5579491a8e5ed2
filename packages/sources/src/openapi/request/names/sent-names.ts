import type { CredentialNames } from '@executor/engine';
import type { BodyPlan, OperationPlan, ParameterPlan } from '../../operation.ts';
import { writeQueryParameter } from '../query-parameter.ts';

/** A name under which a request carries a value. */
export interface SentName {
  in: 'query' | 'cookie' | 'form' | 'json';
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
export function bodyNames(plan: BodyPlan, value: unknown): SentName[] {
  const location = plan.kind === 'json' ? 'json' : 'form';
  if (!['json', 'form', 'multipart'].includes(plan.kind)) return [];
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return [];
  const { from, parts = {} } = plan;
  const fieldOf = new Map(
    from.type === 'fields' ? Object.entries(from.fields).map(([field, name]) => [name, field]) : [],
  );
  return Object.entries(value).flatMap(([property, one]) => {
    const field = fieldOf.get(property) ?? (from.type === 'field' ? `${from.field}.${property}` : property);
    const isChosen = !fieldOf.has(property);
    const part = Object.hasOwn(parts, property) ? parts[property] : undefined;
    const sent: SentName = { in: location, name: property, origin: field, field, isChosen };
    if (plan.kind !== 'form' || part?.style === undefined)
      return one === null || one === undefined ? [] : [sent];
    const { style, explode = true } = part;
    return pairNames({ name: property, style, explode }, one, { in: 'form', field, isChosen });
  });
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
    location === 'query' || location === 'cookie' ? [named(location, name, field)] : [],
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

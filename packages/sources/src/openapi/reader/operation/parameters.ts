import { isObject, type JsonObject, listOf, own, textOf } from '../document/json.ts';
import type { Located, Place } from '../document/place.ts';
import type { Api } from './api.ts';
import type { Operation } from './operations.ts';

/** A parameter of an operation in the document. */
export interface DeclaredParameter {
  name: string;
  in: string;
  value: JsonObject;
  place: Place;
  /** Whether it is a component, which other operations may share. */
  shared?: true;
}

export interface DeclaredParameters {
  /** Path, query, header and cookie parameters; each name at most once per location. */
  parameters: (DeclaredParameter & { in: 'path' | 'query' | 'header' | 'cookie' })[];
  /** Swagger's body parameter. */
  body?: DeclaredParameter;
  form: DeclaredParameter[];
  /** Headers that the caller does not set. */
  authorization?: DeclaredParameter;
}

const locations = ['path', 'query', 'header', 'cookie'];
/** OpenAPI ignores parameters with these names: they follow from the body, the responses and the security. */
const otherHeaders = ['accept', 'content-type', 'authorization'];
const maxParameters = 500;

/** The parameters of an operation: its own, then those of its path that it does not override. */
export function declaredParameters(operation: Operation, api: Api): DeclaredParameters {
  const all = unique([...ofList(operation, api), ...ofList(operation.item, api)]);
  const named = (where: string) => all.filter((parameter) => parameter.in === where);
  const headers = named('header');
  const isOther = ({ name }: DeclaredParameter) => otherHeaders.includes(name.toLowerCase());
  const authorization = headers.find(({ name }) => name.toLowerCase() === 'authorization');
  const body = named('body')[0];
  return {
    parameters: [
      ...pathParameters(operation, named('path'), api),
      ...queryParameters(operation, { query: named('query'), path: named('path') }, api),
      ...headers.filter((header) => !isOther(header)),
      ...named('cookie'),
    ] as DeclaredParameters['parameters'],
    ...(body && { body }),
    form: [...named('formData'), ...named('form')],
    ...(authorization && { authorization }),
  };
}

function* ofList(
  { value, place }: { value: JsonObject; place: Place },
  api: Api,
): Generator<DeclaredParameter> {
  const list = own(value, 'parameters');
  const inside = place.at('parameters');
  if (list !== undefined && !Array.isArray(list))
    api.warnings.add(inside, 'The parameters must be a list. Executor ignored them.');
  const seen = new Set<string>();
  for (const [index, one] of listOf(list).slice(0, maxParameters).entries()) {
    const parameter = readOne({ value: one, place: inside.at(index) }, api);
    if (parameter === undefined) continue;
    const key = `${parameter.in} ${parameter.name}`;
    if (seen.has(key))
      api.warnings.add(
        inside.at(index),
        `The parameter ${parameter.name} is declared twice. Executor used the first one.`,
      );
    seen.add(key);
    yield parameter;
  }
}

function readOne(located: Located, { references, warnings }: Api): DeclaredParameter | undefined {
  const target = references.follow(located);
  if (target === undefined) return undefined;
  const name = textOf(own(target.value, 'name'));
  const where = textOf(own(target.value, 'in'));
  if (!isObject(target.value) || where === undefined || (name === undefined && where !== 'body')) {
    warnings.add(
      located.place,
      'A parameter must be an object with a name and a location (in). Executor ignored it.',
    );
    return undefined;
  }
  const place = [...locations, 'body', 'formData', 'form'].find(
    (known) => known.toLowerCase() === where.toLowerCase(),
  );
  if (place === undefined) {
    warnings.add(located.place, `A parameter cannot be in ${where.slice(0, 50)}. Executor ignored it.`);
    return undefined;
  }
  const shared = target.value !== located.value;
  return {
    name: name ?? 'body',
    in: place,
    value: target.value,
    place: target.place,
    ...(shared && { shared }),
  };
}

function unique(parameters: DeclaredParameter[]): DeclaredParameter[] {
  const first = new Map<string, DeclaredParameter>();
  for (const parameter of parameters) {
    // Header names are case-insensitive.
    const name = parameter.in === 'header' ? parameter.name.toLowerCase() : parameter.name;
    const key = `${parameter.in} ${name}`;
    if (!first.has(key)) first.set(key, parameter);
  }
  return [...first.values()];
}

/** One parameter per placeholder of the path, declared or not: a call needs a value for each. */
function pathParameters(
  { template, place }: Operation,
  declared: DeclaredParameter[],
  { warnings }: Api,
): DeclaredParameter[] {
  const { placeholders, query } = template;
  for (const { name, place: where } of declared) {
    if (!placeholders.includes(name) && !query.some(({ placeholder }) => placeholder === name)) {
      warnings.add(where, `The path has no placeholder {${name}}. Executor ignored this parameter.`);
    }
  }
  return placeholders.map((name) => {
    const known = declared.find((parameter) => parameter.name === name);
    if (known) return known;
    warnings.add(
      place,
      `The placeholder {${name}} of the path is not declared. Executor treats it as a string.`,
    );
    return { name, in: 'path', value: { schema: { type: 'string' } }, place };
  });
}

/** Declared query parameters, and those that only the path has: `/search?q={query}`. */
function queryParameters(
  { template, place }: Operation,
  declared: { query: DeclaredParameter[]; path: DeclaredParameter[] },
  { warnings }: Api,
): DeclaredParameter[] {
  const found = template.query.filter(({ name }) => !declared.query.some((one) => one.name === name));
  const added = found.map(({ name, placeholder }) => {
    warnings.add(place, `The path contains the query parameter ${name}. Executor moved it to the query.`);
    const known = [...declared.query, ...declared.path].find((one) => one.name === placeholder);
    const value = known
      ? { ...known.value, required: true, style: undefined, explode: undefined }
      : { schema: { type: 'string' }, required: true };
    return { name, in: 'query', value, place: known?.place ?? place, placeholder };
  });
  const moved = new Set(added.map(({ placeholder }) => placeholder));
  return [
    ...declared.query.filter(({ name }) => !moved.has(name)),
    ...added.map(({ placeholder: _, ...parameter }) => parameter),
  ];
}

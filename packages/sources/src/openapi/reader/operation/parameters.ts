import { isObject, type JsonObject, listOf, own, textOf } from '../../../document/json.ts';
import type { JsonPointer, Located } from '../../../document/json-pointer.ts';
import type { Api } from './api.ts';
import type { Operation } from './operations.ts';

/** A parameter of an operation in the document. */
export interface DeclaredParameter {
  name: string;
  in: string;
  value: JsonObject;
  pointer: JsonPointer;
  /** Whether it is a component, which other operations may share. */
  shared?: true;
}

export interface DeclaredParameters {
  /** Path, query, header and cookie parameters; each name at most once per location. */
  parameters: (DeclaredParameter & { in: 'path' | 'query' | 'header' | 'cookie' })[];
  /** Swagger's body parameter. */
  body?: DeclaredParameter;
  form: DeclaredParameter[];
  /** An `Authorization` header that is declared as a parameter. Callers do not set it: credentials belong to the source. */
  authorization?: DeclaredParameter;
}

const locations = ['path', 'query', 'header', 'cookie'];
/** OpenAPI ignores header parameters with these names: the body, the responses and the security decide them. */
const ignoredHeaders = ['accept', 'content-type', 'authorization'];
const maxParameters = 500;

/** The parameters of an operation: its own, then those of its path that it does not override. */
export function declaredParameters(operation: Operation, api: Api): DeclaredParameters {
  const all = unique([...listParameters(operation, api), ...listParameters(operation.item, api)]);
  const locatedIn = (location: string) => all.filter((parameter) => parameter.in === location);
  const headers = locatedIn('header');
  const isIgnored = ({ name }: DeclaredParameter) => ignoredHeaders.includes(name.toLowerCase());
  const authorization = headers.find(({ name }) => name.toLowerCase() === 'authorization');
  const body = locatedIn('body')[0];
  return {
    parameters: [
      ...pathParameters(operation, locatedIn('path'), api),
      ...queryParameters(operation, { query: locatedIn('query'), path: locatedIn('path') }, api),
      ...headers.filter((header) => !isIgnored(header)),
      ...locatedIn('cookie'),
    ] as DeclaredParameters['parameters'],
    ...(body && { body }),
    form: [...locatedIn('formData'), ...locatedIn('form')],
    ...(authorization && { authorization }),
  };
}

function* listParameters(
  { value, pointer }: { value: JsonObject; pointer: JsonPointer },
  api: Api,
): Generator<DeclaredParameter> {
  const list = own(value, 'parameters');
  const listPointer = pointer.at('parameters');
  if (list !== undefined && !Array.isArray(list))
    api.warnings.add(listPointer, 'The parameters must be a list. Executor ignored them.');
  const seen = new Set<string>();
  for (const [index, one] of listOf(list).slice(0, maxParameters).entries()) {
    const parameter = readParameter({ value: one, pointer: listPointer.at(index) }, api);
    if (parameter === undefined) continue;
    const key = `${parameter.in} ${parameter.name}`;
    if (seen.has(key))
      api.warnings.add(
        listPointer.at(index),
        `The parameter ${parameter.name} is declared twice. Executor used the first one.`,
      );
    seen.add(key);
    yield parameter;
  }
}

function readParameter(located: Located, { references, warnings }: Api): DeclaredParameter | undefined {
  const target = references.follow(located);
  if (target === undefined) return undefined;
  const name = textOf(own(target.value, 'name'));
  const declaredIn = textOf(own(target.value, 'in'));
  if (!isObject(target.value) || declaredIn === undefined || (name === undefined && declaredIn !== 'body')) {
    warnings.add(
      located.pointer,
      'A parameter must be an object with a name and a location (in). Executor ignored it.',
    );
    return undefined;
  }
  const location = [...locations, 'body', 'formData', 'form'].find(
    (known) => known.toLowerCase() === declaredIn.toLowerCase(),
  );
  if (location === undefined) {
    warnings.add(
      located.pointer,
      `A parameter cannot be in ${declaredIn.slice(0, 50)}. Executor ignored it.`,
    );
    return undefined;
  }
  const shared = target.value !== located.value;
  return {
    name: name ?? 'body',
    in: location,
    value: target.value,
    pointer: target.pointer,
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
  { template, pointer }: Operation,
  declared: DeclaredParameter[],
  { warnings }: Api,
): DeclaredParameter[] {
  const { placeholders, query } = template;
  for (const { name, pointer: declaredAt } of declared) {
    if (!placeholders.includes(name) && !query.some(({ placeholder }) => placeholder === name)) {
      warnings.add(declaredAt, `The path has no placeholder {${name}}. Executor ignored this parameter.`);
    }
  }
  return placeholders.map((name) => {
    const known = declared.find((parameter) => parameter.name === name);
    if (known) return known;
    warnings.add(
      pointer,
      `The placeholder {${name}} of the path is not declared. Executor treats it as a string.`,
    );
    return { name, in: 'path', value: { schema: { type: 'string' } }, pointer };
  });
}

/** Declared query parameters, and those that only the path has: `/search?q={query}`. */
function queryParameters(
  { template, pointer }: Operation,
  declared: { query: DeclaredParameter[]; path: DeclaredParameter[] },
  { warnings }: Api,
): DeclaredParameter[] {
  const missing = template.query.filter(({ name }) => !declared.query.some((one) => one.name === name));
  const added = missing.map(({ name, placeholder }) => {
    warnings.add(pointer, `The path contains the query parameter ${name}. Executor moved it to the query.`);
    const known = [...declared.query, ...declared.path].find((one) => one.name === placeholder);
    const value = known
      ? { ...known.value, required: true, style: undefined, explode: undefined }
      : { schema: { type: 'string' }, required: true };
    return { name, in: 'query', value, pointer: known?.pointer ?? pointer, placeholder };
  });
  const moved = new Set(added.map(({ placeholder }) => placeholder));
  return [
    ...declared.query.filter(({ name }) => !moved.has(name)),
    ...added.map(({ placeholder: _, ...parameter }) => parameter),
  ];
}

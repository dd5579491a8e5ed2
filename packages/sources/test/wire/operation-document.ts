import { follow, type JsonObject, listOf, lookUp, unescapePart } from './document.ts';
import { readable, withoutFlags } from './readable-schema.ts';
import { upgradeOperation, withComponents } from './upgrade-swagger.ts';

export interface JudgedOperation {
  method: string;
  path: string;
  /** What its path begins with in the document of the judge, so that no two are mistaken for one another. */
  prefix: string;
}

/** A document of some operations, with the components that they refer to, and without what is not about requests. */
export function operationsDocument(
  whole: JsonObject,
  operations: JudgedOperation[],
  names: 'own' | 'simple' = 'simple',
): JsonObject {
  const document = whole.swagger ? withComponents(whole) : whole;
  const requests = operations.map((operation) => ({
    ...operation,
    ...requestOf(document, operation, names),
  }));
  const judged = {
    openapi: typeof document.openapi === 'string' ? document.openapi : '3.0.3',
    info: { title: 'judged', version: '1' },
    paths: Object.fromEntries(
      requests.map(({ prefix, renamedPath, method, request }) => [
        prefix + renamedPath,
        {
          [method.toLowerCase()]: {
            ...(renameReferences(request) as JsonObject),
            responses: { 200: { description: 'ok' } },
          },
        },
      ]),
    ),
    components: componentsOf(
      requests.map(({ request }) => request),
      document,
    ),
  };
  return judged.openapi.startsWith('3.1') ? (withoutFlags(judged) as JsonObject) : judged;
}

function requestOf(
  document: JsonObject,
  { method, path, prefix }: JudgedOperation,
  names: 'own' | 'simple',
): { renamedPath: string; request: JsonObject } {
  const item = follow((document.paths as JsonObject)[path], document) as JsonObject;
  const given = item[method.toLowerCase()] as JsonObject;
  const shared = listOf(item.parameters);
  const operation = document.swagger ? upgradeOperation(given, shared, document) : { ...given };
  const own = listOf(operation.parameters).map((parameter) => follow(parameter, document) as JsonObject);
  const inherited = document.swagger
    ? []
    : shared.map((parameter) => follow(parameter, document) as JsonObject);
  const parameters = [...inherited.filter((one) => !own.some((other) => isSame(one, other))), ...own];
  // What follows is no part of a request.
  const judged = { path: path.replace(/[?#].*$/s, ''), parameters: parameters.filter(isJudged) };
  const { path: renamedPath, parameters: renamed } = names === 'own' ? judged : renamePath(judged);
  const body = follow(operation.requestBody, document) as JsonObject | undefined;
  const request = {
    operationId: prefix.slice(1),
    parameters: renamed.map((parameter) => withStyle(parameter, document)),
    ...(body && { requestBody: { ...body, required: body.required === true } }),
  };
  return { renamedPath, request: plain(request) as JsonObject };
}

/** The specification says that these are not parameters. */
function isJudged({ in: place, name }: JsonObject): boolean {
  return place !== 'header' || !/^(accept|content-type|authorization)$/i.test(String(name));
}

/** What goes without saying has to be said to the judge, and `readOnly`, which says nothing of a parameter, must not be. */
function withStyle(parameter: JsonObject, document: JsonObject): JsonObject {
  const { readOnly: _, ...schema } = (follow(parameter.schema, document) ?? {}) as JsonObject;
  const style =
    parameter.style ?? (parameter.in === 'query' || parameter.in === 'cookie' ? 'form' : 'simple');
  return parameter.content
    ? parameter
    : { ...parameter, schema, style, explode: parameter.explode ?? style === 'form' };
}

/** Others are not checked, and the judge would write a line for each of them. */
const formats = new Set(
  'date-time date time duration email hostname ipv4 ipv6 uri uri-reference uuid regex json-pointer int32 int64 float double byte binary password'.split(
    ' ',
  ),
);

/**
 * Without examples, without what stops the judge before it has judged (`nullable` of nothing), and without defaults: it would put them into the
 * request, and then refuse what nobody has sent.
 */
function plain(value: unknown, areNames = false): unknown {
  if (Array.isArray(value)) return value.map((item) => plain(item));
  if (typeof value !== 'object' || value === null) return value;
  const untyped = !areNames && !('type' in value);
  const entries = Object.entries(areNames ? value : readable(value as JsonObject))
    .filter(([key, inner]) => areNames || key !== 'format' || formats.has(String(inner)))
    .filter(([key]) => areNames || !(/^(examples?|default)$/.test(key) || (untyped && key === 'nullable')))
    // A property may be called `example`.
    .map(([key, inner]) => [key, plain(inner, !areNames && key === 'properties')]);
  return Object.fromEntries(entries);
}

/** Names such as `{user-id}` are nothing for routers. */
function renamePath({ path, parameters }: { path: string; parameters: JsonObject[] }): {
  path: string;
  parameters: JsonObject[];
} {
  const names = new Map(
    [...path.matchAll(/\{([^{}]*)\}/g)].map(([, name], index) => [name ?? '', `p${index}`]),
  );
  return {
    path: path.replace(/\{([^{}]*)\}/g, (_, name: string) => `{${names.get(name)}}`),
    parameters: parameters.map((parameter) =>
      parameter.in === 'path'
        ? { ...parameter, name: names.get(String(parameter.name)) ?? parameter.name }
        : parameter,
    ),
  };
}

function componentsOf(requests: unknown, document: JsonObject): JsonObject {
  const components: Record<string, JsonObject> = {};
  const seen = new Set<string>();
  const visit = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return;
    for (const [key, inner] of Object.entries(value)) {
      if (key !== '$ref' || typeof inner !== 'string') visit(inner);
      else if (!seen.has(inner)) {
        seen.add(inner);
        const [kind = 'schemas', name = ''] = componentName(inner).split('/').slice(2);
        const target = plain(lookUp(inner, document));
        components[kind] ??= {};
        components[kind][unescapePart(name)] = target;
        visit(target);
      }
    }
  };
  visit(requests);
  return renameReferences(components) as JsonObject;
}

/** The judge follows references to components only, so what is inside of one becomes one. */
function componentName($ref: string): string {
  const [, root, kind, ...name] = $ref.split('/');
  return root === 'components'
    ? `#/components/${kind}/${name.join('.')}`
    : `#/components/schemas/${$ref.slice(2).replaceAll('/', '.')}`;
}

function renameReferences(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(renameReferences);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [
      key,
      key === '$ref' && typeof inner === 'string' ? componentName(inner) : renameReferences(inner),
    ]),
  );
}

function isSame(one: JsonObject, other: JsonObject): boolean {
  return one.name === other.name && one.in === other.in;
}

import { follow, type JsonObject, listOf, lookUp, unescapePart } from './document.ts';
import { readable, withoutFlags } from './readable-schema.ts';
import { upgradeOperation, withComponents } from './upgrade-swagger.ts';

export interface JudgedOperation {
  method: string;
  path: string;
  /** Prefix of its path in the judge's document, so that each path is unique. */
  prefix: string;
}

/** A document of some operations with the components that they reference. It has only the parts that concern requests. */
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
  const declared = item[method.toLowerCase()] as JsonObject;
  const shared = listOf(item.parameters);
  const operation = document.swagger ? upgradeOperation(declared, shared, document) : { ...declared };
  const own = listOf(operation.parameters).map((parameter) => follow(parameter, document) as JsonObject);
  const inherited = document.swagger
    ? []
    : shared.map((parameter) => follow(parameter, document) as JsonObject);
  const parameters = [...inherited.filter((one) => !own.some((other) => isSame(one, other))), ...own];
  // A query or fragment in the path is not part of the route.
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

/** The specification excludes these headers from the parameters. */
function isJudged({ in: location, name }: JsonObject): boolean {
  return location !== 'header' || !/^(accept|content-type|authorization)$/i.test(String(name));
}

/** Adds default styles, which the judge does not know, and removes `readOnly`, which has no meaning for a parameter. */
function withStyle(parameter: JsonObject, document: JsonObject): JsonObject {
  const { readOnly: _, ...schema } = (follow(parameter.schema, document) ?? {}) as JsonObject;
  const style =
    parameter.style ?? (parameter.in === 'query' || parameter.in === 'cookie' ? 'form' : 'simple');
  return parameter.content
    ? parameter
    : { ...parameter, schema, style, explode: parameter.explode ?? style === 'form' };
}

/** The judge does not check other formats, and would log a line for each of them. */
const formats = new Set(
  'date-time date time duration email hostname ipv4 ipv6 uri uri-reference uuid regex json-pointer int32 int64 float double byte binary password'.split(
    ' ',
  ),
);

/**
 * Removes examples, keywords that make the judge fail (`nullable` without a type), and defaults: the judge would add them to the request
 * and then reject them.
 */
function plain(value: unknown, areNames = false): unknown {
  if (Array.isArray(value)) return value.map((item) => plain(item));
  if (typeof value !== 'object' || value === null) return value;
  const untyped = !areNames && !('type' in value);
  const entries = Object.entries(areNames ? value : readable(value as JsonObject))
    .filter(([key, inner]) => areNames || key !== 'format' || formats.has(String(inner)))
    .filter(([key]) => areNames || !(/^(examples?|default)$/.test(key) || (untyped && key === 'nullable')))
    // A property may be named `example`.
    .map(([key, inner]) => [key, plain(inner, !areNames && key === 'properties')]);
  return Object.fromEntries(entries);
}

/** The router does not accept names such as `{user-id}`. */
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

/** The judge follows only references to components, so a schema inside a component becomes a component. */
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

import { isObject, type JsonObject, own, textOf } from '../document/json.ts';
import type { Located, Place } from '../document/place.ts';
import type { Api } from './api.ts';
import { type PathTemplate, readPath } from './path-template.ts';

/** One operation of the document with its path item. */
export interface Operation {
  /** Upper case. */
  method: string;
  path: string;
  template: PathTemplate;
  operationId?: string;
  value: JsonObject;
  place: Place;
  item: { value: JsonObject; place: Place };
}

const methods = new Set(['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace', 'query']);
const maxOperations = 50_000;

/** The operations of a document, sorted by path and method. */
export function listOperations(api: Api): Operation[] {
  const paths = own(api.root, 'paths');
  const place = api.place.at('paths');
  if (!isObject(paths)) {
    api.warnings.add(place, 'The document has no paths, so it has no operations.');
    return [];
  }
  const found: Operation[] = [];
  for (const key of Object.keys(paths)) {
    if (key.startsWith('x-')) continue;
    for (const operation of ofItem(key, { value: paths[key], place: place.at(key) }, api)) {
      if (found.length < maxOperations) found.push(operation);
      else
        api.warnings.add(
          place,
          `The document has more than ${maxOperations} operations. Executor ignored the rest.`,
        );
    }
  }
  return found.sort((a, b) => compare(a.path, b.path) || compare(a.method, b.method));
}

export function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}

function* ofItem(key: string, located: Located, api: Api): Generator<Operation> {
  const path = key.startsWith('/') ? key : `/${key}`;
  if (path !== key)
    api.warnings.add(located.place, 'This path does not start with a slash. Executor added one.');
  const item = itemOf(located, api);
  if (item === undefined) return;
  for (const name of Object.keys(item.value)) {
    const method = name.toLowerCase();
    if (methods.has(method))
      yield* ofMethod(method, path, { item, name, place: item.place.at(name), value: item.value[name] }, api);
  }
  const additional = own(item.value, 'additionalOperations');
  for (const name of isObject(additional) ? Object.keys(additional) : []) {
    const place = item.place.at('additionalOperations').at(name);
    if (/^[A-Za-z-]{1,30}$/.test(name))
      yield* ofMethod(name, path, { item, name, place, value: own(additional, name) }, api);
  }
}

/** A path item's own keys take precedence over those of its `$ref`. */
function itemOf(located: Located, { references, warnings }: Api): Operation['item'] | undefined {
  const { value, place } = located;
  if (!isObject(value)) {
    warnings.add(place, 'A path must be an object with operations. Executor ignored it.');
    return undefined;
  }
  if (typeof own(value, '$ref') !== 'string') return { value, place };
  const target = references.follow(located);
  if (!isObject(target?.value)) return { value, place };
  const { $ref: _, ...beside } = value;
  return Object.keys(beside).length === 0
    ? { value: target.value, place: target.place }
    : { value: { ...target.value, ...beside }, place: target.place };
}

function* ofMethod(
  method: string,
  path: string,
  { item, name, value, place }: { item: Operation['item']; name: string; value: unknown; place: Place },
  { references, warnings }: Api,
): Generator<Operation> {
  const target = references.follow({ value, place });
  if (!isObject(target?.value)) {
    warnings.add(place, 'An operation must be an object. Executor ignored it.');
    return;
  }
  if (name !== name.toLowerCase() && methods.has(method))
    warnings.add(place, 'Methods must be lower case. Executor read it anyway.');
  const operationId = textOf(own(target.value, 'operationId'))?.trim();
  yield {
    method: method.toUpperCase(),
    path,
    template: readPath(path),
    ...(operationId && { operationId: operationId.slice(0, 500) }),
    value: target.value,
    place: target.place,
    item,
  };
}

import { isObject, type JsonObject, own, textOf } from '../../../document/json.ts';
import type { JsonPointer, Located } from '../../../document/json-pointer.ts';
import type { OperationPlan } from '../../operation.ts';
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
  pointer: JsonPointer;
  item: { value: JsonObject; pointer: JsonPointer };
  /** The groups and the name of its tool, if the format names its tools. */
  toolPath?: string[];
  /** The parameters in the path whose values may have several segments. */
  segmentParameters?: string[];
  upload?: FileUpload;
  download?: OperationPlan['download'];
}

/** The file that an operation accepts, at a path of its own. */
export interface FileUpload {
  path: string;
  /** Of a file that does not name its own. */
  mediaType: string;
  /** Whether the body can be sent with it. */
  multipart: boolean;
  required: boolean;
}

const methods = new Set(['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace', 'query']);
const maxOperations = 50_000;

/** The operations of a document, sorted by path and method. */
export function listOperations(api: Api): Operation[] {
  const paths = own(api.root, 'paths');
  const pointer = api.pointer.at('paths');
  if (!isObject(paths)) {
    api.warnings.add(pointer, 'The document has no paths, so it has no operations.');
    return [];
  }
  const found: Operation[] = [];
  for (const key of Object.keys(paths)) {
    if (key.startsWith('x-')) continue;
    for (const operation of operationsOfItem(key, { value: paths[key], pointer: pointer.at(key) }, api)) {
      if (found.length < maxOperations) found.push(operation);
      else
        api.warnings.add(
          pointer,
          `The document has more than ${maxOperations} operations. Executor ignored the others.`,
        );
    }
  }
  return found.sort((a, b) => compare(a.path, b.path) || compare(a.method, b.method));
}

export function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}

function* operationsOfItem(key: string, located: Located, api: Api): Generator<Operation> {
  const path = key.startsWith('/') ? key : `/${key}`;
  if (path !== key)
    api.warnings.add(located.pointer, 'This path does not start with a slash. Executor added one.');
  const item = itemOf(located, api);
  if (item === undefined) return;
  for (const name of Object.keys(item.value)) {
    const method = name.toLowerCase();
    if (methods.has(method))
      yield* operationsOfMethod(
        method,
        path,
        { item, name, pointer: item.pointer.at(name), value: item.value[name] },
        api,
      );
  }
  const additional = own(item.value, 'additionalOperations');
  for (const name of isObject(additional) ? Object.keys(additional) : []) {
    const pointer = item.pointer.at('additionalOperations').at(name);
    if (/^[A-Za-z-]{1,30}$/.test(name))
      yield* operationsOfMethod(name, path, { item, name, pointer, value: own(additional, name) }, api);
  }
}

/** A path item's own keys take precedence over those of its `$ref`. */
function itemOf(located: Located, { references, warnings }: Api): Operation['item'] | undefined {
  const { value, pointer } = located;
  if (!isObject(value)) {
    warnings.add(pointer, 'A path must be an object with operations. Executor ignored it.');
    return undefined;
  }
  if (typeof own(value, '$ref') !== 'string') return { value, pointer };
  const target = references.follow(located);
  if (!isObject(target?.value)) return { value, pointer };
  const { $ref: _, ...siblings } = value;
  return Object.keys(siblings).length === 0
    ? { value: target.value, pointer: target.pointer }
    : { value: { ...target.value, ...siblings }, pointer: target.pointer };
}

function* operationsOfMethod(
  method: string,
  path: string,
  {
    item,
    name,
    value,
    pointer,
  }: { item: Operation['item']; name: string; value: unknown; pointer: JsonPointer },
  { references, warnings }: Api,
): Generator<Operation> {
  const target = references.follow({ value, pointer });
  if (!isObject(target?.value)) {
    warnings.add(pointer, 'An operation must be an object. Executor ignored it.');
    return;
  }
  if (name !== name.toLowerCase() && methods.has(method))
    warnings.add(pointer, 'Methods must be lower case. Executor read it anyway.');
  const operationId = textOf(own(target.value, 'operationId'))?.trim();
  yield {
    method: method.toUpperCase(),
    path,
    template: readPath(path),
    ...(operationId && { operationId: operationId.slice(0, 500) }),
    value: target.value,
    pointer: target.pointer,
    item,
  };
}

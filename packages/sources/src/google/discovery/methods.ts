import { isObject, type JsonObject, own, textOf } from '../../document/json.ts';
import type { JsonPointer, Located } from '../../document/json-pointer.ts';
import type { Warnings } from '../../document/warnings.ts';
import type { FileUpload, Operation } from '../../openapi/reader/operation/operations.ts';
import { readPath } from '../../openapi/reader/operation/path-template.ts';
import { camelCase, wordsOf } from '../../text/words.ts';
import { downloadOf, openApiOperation, uploadOf } from './operation.ts';

const httpMethods = new Set(['GET', 'PUT', 'POST', 'DELETE', 'HEAD', 'PATCH', 'OPTIONS']);
/** Deeper than any API of Google, and shallow enough for the path of a tool. */
const maxResources = 12;
const maxMethods = 50_000;

interface Api {
  root: JsonObject;
  warnings: Warnings;
}

/** The methods of all resources of a Discovery document as operations. */
export function discoveryOperations(root: JsonObject, pointer: JsonPointer, warnings: Warnings): Operation[] {
  const operations: Operation[] = [];
  for (const operation of operationsOf({ value: root, pointer }, [], { root, warnings })) {
    if (operations.length === maxMethods) {
      warnings.add(pointer, `The document has more than ${maxMethods} methods. Executor ignored the others.`);
      break;
    }
    operations.push(operation);
  }
  return operations;
}

function* operationsOf({ value, pointer }: Located, resources: string[], api: Api): Generator<Operation> {
  const methods = own(value, 'methods');
  const children = own(value, 'resources');
  for (const [name, method] of isObject(methods) ? Object.entries(methods) : []) {
    const at = pointer.at('methods').at(name);
    const isGroup = isObject(children) && Object.hasOwn(children, name);
    const operation = readMethod({ value: method, pointer: at }, { resources, name, isGroup }, api);
    if (operation) yield operation;
  }
  for (const [name, resource] of isObject(children) ? Object.entries(children) : []) {
    const at = pointer.at('resources').at(name);
    if (resources.length < maxResources)
      yield* operationsOf({ value: resource, pointer: at }, [...resources, name], api);
    else api.warnings.add(at, 'This resource is nested too deeply. Executor ignored it.');
  }
}

interface MethodName {
  resources: string[];
  name: string;
  /** Whether a resource has the same name, so that the tool needs another one. */
  isGroup: boolean;
}

function readMethod(
  { value, pointer }: Located,
  { resources, name, isGroup }: MethodName,
  { root, warnings }: Api,
): Operation | undefined {
  const ignore = (reason: string) => {
    warnings.add(pointer, `${reason} Executor ignored it.`);
    return undefined;
  };
  const method = textOf(own(value, 'httpMethod'))?.toUpperCase();
  const written = textOf(own(value, 'path'));
  if (!isObject(value) || written === undefined || method === undefined || !httpMethods.has(method))
    return ignore('A method must have a path and an HTTP method.');
  const path = `/${joined(textOf(own(root, 'servicePath')) ?? '', written)}`;
  if (!isSupported(path)) return ignore('The path of this method has an expression that is not a parameter.');
  if (isBatch(path, root)) return ignore('A call of this method could make any other calls.');
  const id = [textOf(own(root, 'name')) ?? '', ...resources, name].join('.');
  const upload = readUpload(value, pointer, { root, warnings });
  const download = downloadOf(value);
  const plain = path.replaceAll('{+', '{');
  const template = readPath(
    download === 'always' ? `${plain}${plain.includes('?') ? '&' : '?'}alt=media` : plain,
  );
  const words = wordsOf(name);
  return {
    method,
    path,
    template,
    operationId: id.slice(0, 500),
    value: openApiOperation({ value, id, root }),
    pointer,
    item: { value: {}, pointer },
    toolPath: [
      ...resources.map((one) => nameOf(wordsOf(one))),
      nameOf(isGroup ? [method.toLowerCase(), ...words] : words),
    ],
    segmentParameters: [...path.matchAll(/\{\+([^{}]+)\}/g)].map(([, parameter]) => parameter as string),
    ...(upload && { upload }),
    ...(download && { download: { name: 'alt', value: 'media' } }),
  };
}

/** An upload must be at a path of the same server. The tool sends only JSON otherwise. */
function readUpload(
  value: JsonObject,
  pointer: JsonPointer,
  { root, warnings }: Api,
): FileUpload | undefined {
  const upload = uploadOf(value);
  if (upload === undefined) return undefined;
  const path = `/${joined('', upload.path)}`;
  if (/^\/[^/]/.test(upload.path) && isSupported(path) && !/[?#]/.test(path) && !isBatch(path, root))
    return { ...upload, path: path.replaceAll('{+', '{') };
  warnings.add(
    pointer.at('mediaUpload'),
    'The path for uploads is not a path of the API. The tool accepts no file.',
  );
  return undefined;
}

/** Without slashes at its start. */
function joined(base: string, path: string): string {
  const start = base.replace(/^\/+|\/+$/g, '');
  return [start, path.replace(/^\/+/, '')].filter((part) => part !== '').join('/');
}

/** Whether all expressions are `{name}` or `{+name}`. */
function isSupported(path: string): boolean {
  return path.length <= 2_000 && !/[{}]/.test(path.replace(/\{\+?[\w.$-]+\}/g, ''));
}

/** One request to this path makes many calls, which no rule would see. A parameter in the first segment could make it that path. */
function isBatch(path: string, root: JsonObject): boolean {
  const declared = joined('', textOf(own(root, 'batchPath')) ?? 'batch');
  // The URL of a call resolves dots and decodes them as this one does.
  const { pathname } = new URL(path.replaceAll(/\{[^{}]*\}/g, '*'), 'https://host');
  const sent = joined('', decoded(pathname)).toLowerCase();
  if (/^[^/]*\*/.test(sent)) return true;
  return ['batch', declared.toLowerCase()].some((batch) => sent === batch || sent.startsWith(`${batch}/`));
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

function nameOf(words: string[]): string {
  return camelCase(words) || 'default';
}

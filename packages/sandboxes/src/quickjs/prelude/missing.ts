import { importName } from './contract.ts';
import { MissingError } from './errors.ts';
import { defineGlobals, NativePromise } from './host.ts';
import { keepSentence } from './stand-ins.ts';

/** Globals that code often expects and the sandbox lacks, with the alternative for each. */
const noNetwork = 'the sandbox has no network. Call a tool: await tools.discover({ query }) finds one';
const noModules = 'there are no modules or packages. Use the globals and tools.*';
const noProcess =
  'the code runs outside any process, without environment or files. Executor adds secrets to calls for you';
const noBrowser = 'there is no page. Return the result instead';

const noParts = 'the sandbox has no network. A tool takes a plain object';

const functions: Record<string, string> = {
  Headers: noParts,
  Request: noParts,
  Response: noParts,
  FormData: noParts,
  Blob: 'use Uint8Array, or tools.executor.artifacts.put for large data',
  File: 'use Uint8Array, or tools.executor.artifacts.put for large data',
  fetch: noNetwork,
  XMLHttpRequest: noNetwork,
  WebSocket: noNetwork,
  EventSource: noNetwork,
  require: noModules,
  importScripts: noModules,
  alert: noBrowser,
  prompt: noBrowser,
  confirm: noBrowser,
};
/** Objects. Some are also called, or constructed with `new`. */
const objects: Record<string, string> = {
  axios: noNetwork,
  process: noProcess,
  Deno: noProcess,
  Bun: noProcess,
  Buffer:
    'use new TextEncoder().encode(text) and new TextDecoder().decode(bytes); for base64, btoa(text) and atob(base64), or bytes.toBase64() and Uint8Array.fromBase64(base64)',
  window: noBrowser,
  document: noBrowser,
  localStorage: 'nothing is kept between runs. Use tools.executor.artifacts.put',
};

for (const [name, instead] of Object.entries(functions)) {
  const refuse = function refuse() {
    throw new MissingError(sentence(name, instead));
  };
  defineGlobals({ [name]: refuse });
}

for (const [name, instead] of Object.entries(objects)) {
  const refuse = (): never => {
    throw new MissingError(sentence(name, instead));
  };
  const get = (_target: object, key: PropertyKey) => (typeof key === 'symbol' ? undefined : refuse());
  const stand = new Proxy(function stand() {}, {
    get,
    set: refuse,
    has: refuse,
    ownKeys: refuse,
    apply: refuse,
    construct: refuse,
  });
  keepSentence(stand, sentence(name, instead));
  defineGlobals({ [name]: stand });
}

function sentence(name: string, instead: string): string {
  return `${name} is not available in the sandbox: ${instead}.`;
}

defineGlobals({
  global: globalThis,
  self: globalThis,
  /** Returns a promise, like `import(…)`. */
  [importName]: () =>
    new NativePromise((_resolve, reject) =>
      reject(new MissingError(sentence('import()', `${noModules}; tools.discover({ query }) finds them`))),
    ),
});

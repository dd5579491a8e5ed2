/**
 * Names that code often expects, with the alternative for each. They remain undefined, because code tests for them with `typeof`. Code that
 * does not test gets the sentence.
 */
const exported = 'There are no modules: return the result, or export default a function';
const noFiles = 'There are no files here';
const noPage = 'There is no page here: return the result instead';
const instead: Record<string, string> = {
  __proto__: null as never,
  module: exported,
  exports: exported,
  __dirname: noFiles,
  __filename: noFiles,
  navigator: noPage,
  location: noPage,
  history: noPage,
  $: noPage,
  jQuery: noPage,
  sessionStorage: 'Nothing is kept between runs: use tools.executor.artifacts.put',
  fs: noFiles,
  path: noFiles,
  Temporal: 'Use Date and Intl.DateTimeFormat',
  Atomics: 'Nothing is shared: the code runs on one thread',
  Worker: 'There are no threads: use Promise.all for calls that can run at once',
  WebAssembly: 'There is no WebAssembly inside the sandbox: use JavaScript',
  ReadableStream: 'There are no streams: tools return complete results',
  _: 'There are no packages: use the methods of arrays, Object and Map',
  lodash: 'There are no packages: use the methods of arrays, Object and Map',
  moment: 'There are no packages: use Date and Intl.DateTimeFormat',
  dayjs: 'There are no packages: use Date and Intl.DateTimeFormat',
  z: 'There are no packages: inputs of tools are checked for you',
};

/** The hint for an engine error that names one of them. */
export function hintFor(message: string): string {
  const name = /^(\S+) is not defined$/.exec(message)?.[1];
  const hint = name === undefined ? undefined : instead[name];
  return hint === undefined ? '' : `. ${hint}.`;
}

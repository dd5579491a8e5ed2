const search = 'tools.discover({ query }) searches for tools.';
const call = 'Call a tool by its path: tools.NAMESPACE.NAME({ … }). tools.discover({ query }) finds it.';
const describe =
  'tools.describe.tool({ path }) describes a tool, tools.describe.namespace({ path }) lists tools.';
const pages =
  'No tool reads all pages. Pass `$response: "full"`, and call the tool again with `links.next.input` while there is one.';

/** Functions of `tools` that models invent, with what to use instead. */
const functions: Record<string, string> = {
  ...Object.fromEntries(
    ['search', 'find', 'query', 'lookup', 'searchTools', 'findTools', 'search_tools'].map((name) => [
      name,
      search,
    ]),
  ),
  ...Object.fromEntries(
    ['call', 'invoke', 'run', 'execute', 'request', 'use', 'callTool', 'call_tool'].map((name) => [
      name,
      call,
    ]),
  ),
  ...Object.fromEntries(
    ['list', 'all', 'listTools', 'list_tools', 'getTools', 'help', 'schema', 'inspect'].map((name) => [
      name,
      describe,
    ]),
  ),
};
const pageReaders = new Set([
  'paginate',
  'paginated',
  'paginateAll',
  'fetchAll',
  'listAll',
  'getAll',
  'iterate',
]);

/** What to use instead of a tool that models often invent; undefined for any other path. */
export function insteadOf(path: string): string | undefined {
  if (Object.hasOwn(functions, path)) return functions[path];
  return pageReaders.has(path.slice(path.lastIndexOf('.') + 1)) ? pages : undefined;
}

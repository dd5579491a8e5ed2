const paths = new WeakMap<object, string>();
const { get, set } = WeakMap.prototype;

/** The path of a tool that was not called. */
export function pathOf(value: object): string | undefined {
  return get.call(paths, value) as string | undefined;
}

export function keepPath(tool: object, path: string): void {
  set.call(paths, tool, path);
}

/** As the code writes it. */
export function nameOf(path: string): string {
  return path === '' ? 'tools' : `tools.${path}`;
}

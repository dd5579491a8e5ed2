const paths = new WeakMap<object, string>();
const { get, set } = WeakMap.prototype;

/** The path, if the value is a part of `tools`. */
export function pathOf(value: object): string | undefined {
  return get.call(paths, value) as string | undefined;
}

export function keepPath(tool: object, path: string): void {
  set.call(paths, tool, path);
}

/** The tool's name in code. */
export function nameOf(path: string): string {
  return path === '' ? 'tools' : `tools.${path}`;
}

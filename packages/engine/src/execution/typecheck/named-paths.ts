/** A path of `tools` as code writes it. */
export interface NamedPath {
  segments: string[];
  /** Whether it is called where it stands; otherwise it may be kept, and called by another name. */
  isCalled: boolean;
}

const segment = String.raw`\s*(?:\?\.|\.)\s*[A-Za-z_$][\w$]*|(?:\s*\?\.)?\s*\[\s*(?:"[^"\n\\]*"|'[^'\n\\]*')\s*\]`;
const namedPath = new RegExp(
  String.raw`(?<![\w$])(?<!(?<!\.\.)\.)tools((?:${segment}){1,12})((?:\s*\?\.)?\s*\()?`,
  'g',
);
const oneSegment = /[A-Za-z_$][\w$]*|"([^"]*)"|'([^']*)'/g;

/** More than anybody names in one piece of code; what is beyond is checked when it is called. */
const mostPaths = 100;
const longestCode = 500_000;

/**
 * Every path of `tools` that stands in code, and some that only look like one, in texts and comments: for each there will be a
 * declaration, and the type checker knows which are used.
 */
export function namedPaths(code: string): NamedPath[] {
  const found = new Map<string, NamedPath>();
  for (const match of code.slice(0, longestCode).matchAll(namedPath)) {
    const segments = [...(match[1] ?? '').matchAll(oneSegment)].map(
      ([name, double, single]) => double ?? single ?? name,
    );
    const isCalled = match[2] !== undefined;
    found.set(`${isCalled} ${JSON.stringify(segments)}`, { segments, isCalled });
    if (found.size >= mostPaths) break;
  }
  return [...found.values()];
}

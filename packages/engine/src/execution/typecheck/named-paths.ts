/** A path of `tools` as code writes it. */
export interface NamedPath {
  segments: string[];
  /** Whether the code calls it directly. Otherwise the code may store it and call it by another name. */
  isCalled: boolean;
}

const name = String.raw`[\p{ID_Start}_$][\p{ID_Continue}$]*`;
const segment = String.raw`\s*(?:\?\.|\.)\s*${name}|(?:\s*\?\.)?\s*\[\s*(?:"[^"\n\\]*"|'[^'\n\\]*')\s*\]`;
const called = String.raw`((?:\s*\?\.)?\s*\()?`;
/** Matches before a name that is not a field of another value. */
const alone = String.raw`(?<![\p{ID_Continue}$])(?<!(?<!\.\.)\.)`;
const oneSegment = new RegExp(`${name}|"([^"]*)"|'([^']*)'`, 'gu');

/** Paths beyond this number are checked when they are called. */
const maxPaths = 100;
const maxNames = 20;
const maxSearches = 5_000;
const maxCodeChars = 500_000;

/**
 * Every path of `tools` in the code, also through variables for parts of it. Some results are false: paths in texts and comments. Each path
 * gets a declaration, and the type checker knows which are used.
 */
export function namedPaths(code: string): NamedPath[] {
  const read = code.slice(0, maxCodeChars);
  const found = new Map<string, NamedPath>();
  let searches = 0;
  for (const { text, segments: before } of [{ text: 'tools', segments: [] }, ...otherNames(read)]) {
    // A variable that stands for a part of `tools` is a path by itself. `tools` needs at least one segment after it.
    const minSegments = before.length > 0 ? 0 : 1;
    const path = new RegExp(
      `${alone}${text.replaceAll('$', '\\$')}(?=\\s*[.?[(])((?:${segment}){${minSegments},12})${called}`,
      'gu',
    );
    for (const [, after = '', call] of read.matchAll(path)) {
      const segments = [...before, ...segmentsOf(after)];
      const isCalled = call !== undefined;
      found.set(`${isCalled} ${JSON.stringify(segments)}`, { segments, isCalled });
      searches += 1;
      if (found.size >= maxPaths || searches >= maxSearches) return [...found.values()];
    }
  }
  return [...found.values()];
}

interface OtherName {
  text: string;
  segments: string[];
}

const declaration = new RegExp(
  String.raw`\bconst\s+(?:(${name})|\{([^{}]*)\})\s*=\s*(${name})(?![\p{ID_Continue}$])((?:${segment}){0,12})${called}`,
  'gu',
);
const taken = new RegExp(String.raw`^\s*(${name})\s*(?::\s*(${name})\s*)?$`, 'u');

/** `const gh = tools.github`, `const { issues, pulls: p } = gh`: follows constants only. */
function otherNames(code: string): OtherName[] {
  const names: OtherName[] = [];
  const known = new Map<string, string[]>([['tools', []]]);
  for (const [, whole, parts, root = '', after = '', call] of code.matchAll(declaration)) {
    const from = known.get(root);
    if (from === undefined || call !== undefined) continue;
    const segments = [...from, ...segmentsOf(after)];
    const declared = whole === undefined ? takenOut(parts ?? '', segments) : [{ text: whole, segments }];
    for (const one of declared) {
      if (names.length >= maxNames) return names;
      known.set(one.text, one.segments);
      names.push(one);
    }
  }
  return names;
}

function takenOut(parts: string, segments: string[]): OtherName[] {
  return parts.split(',').flatMap((part) => {
    const [, field, text = field] = taken.exec(part) ?? [];
    return field === undefined || text === undefined ? [] : [{ text, segments: [...segments, field] }];
  });
}

function segmentsOf(text: string): string[] {
  return [...text.matchAll(oneSegment)].map(([written, double, single]) => double ?? single ?? written);
}

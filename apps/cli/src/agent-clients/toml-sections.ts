import { parse } from 'smol-toml';

/** A table as it is written: from its header to the last line that says something. */
export interface Section {
  keys: string[];
  start: number;
  end: number;
}

/** The tables of a text that is known to be TOML, in their order; what stands before the first header is none. */
export function sectionsOf(text: string): Section[] {
  const sections: Section[] = [];
  const state: State = { quote: undefined, depth: 0 };
  let offset = 0;
  for (const line of text.split('\n')) {
    const isFree = state.quote === undefined && state.depth === 0;
    const trimmed = line.trim();
    const end = offset + line.trimEnd().length;
    if (isFree && trimmed.startsWith('[')) {
      sections.push({ keys: keysOf(trimmed), start: offset + line.indexOf('['), end });
    } else {
      advance(line, state);
      const last = sections.at(-1);
      // Comments before the next header are about that one.
      if (last && !(isFree && (trimmed === '' || trimmed.startsWith('#')))) last.end = end;
    }
    offset += line.length + 1;
  }
  return sections;
}

/** What a line leaves open: a string of several lines, or brackets. */
interface State {
  quote: '"""' | "'''" | undefined;
  depth: number;
}

function advance(line: string, state: State): void {
  for (let at = 0; at < line.length; ) {
    const rest = line.slice(at);
    if (state.quote) {
      at += closing(rest, state);
      continue;
    }
    const [opening] = /^("""|''')/.exec(rest) ?? [];
    if (opening) {
      state.quote = opening as '"""' | "'''";
      at += 3;
      continue;
    }
    const [quoted] = /^("(?:[^"\\]|\\.)*"|'[^']*')/.exec(rest) ?? [];
    if (quoted) {
      at += quoted.length;
      continue;
    }
    const character = rest[0] as string;
    if (character === '#') return;
    if ('[{'.includes(character)) state.depth += 1;
    if (']}'.includes(character)) state.depth -= 1;
    at += 1;
  }
}

/** How far a string of several lines goes on here; two quotes may stand before the three that end it. */
function closing(rest: string, state: State): number {
  const pattern =
    state.quote === '"""' ? /^(?:[^"\\]|\\.?|"{1,2}(?!"))*?"{3,5}/ : /^(?:[^']|'{1,2}(?!'))*?'{3,5}/;
  const [found] = pattern.exec(rest) ?? [];
  if (found === undefined) return rest.length;
  state.quote = undefined;
  return found.length;
}

/** The keys of a header such as `[a."b.c"]`: read as a text of its own, it is that one table. */
function keysOf(header: string): string[] {
  const keys: string[] = [];
  let at: unknown = parse(header);
  while (typeof at === 'object' && at !== null) {
    const [key] = Object.keys(at);
    if (key === undefined) break;
    if (!Array.isArray(at)) keys.push(key);
    at = (at as Record<string, unknown>)[key];
  }
  return keys;
}

import { parse } from 'smol-toml';

/** The position of a table in the text, from its header to its last line that is not empty or a comment. */
export interface Section {
  keys: string[];
  start: number;
  end: number;
}

/** The tables of a text, in order. The text must be valid TOML. Keys before the first header belong to no section. */
export function sectionsOf(text: string): Section[] {
  const sections: Section[] = [];
  const state: State = { quote: undefined, depth: 0 };
  let offset = 0;
  for (const line of text.split('\n')) {
    const isTopLevel = state.quote === undefined && state.depth === 0;
    const trimmed = line.trim();
    const end = offset + line.trimEnd().length;
    if (isTopLevel && trimmed.startsWith('[')) {
      sections.push({ keys: keysOf(trimmed), start: offset + line.indexOf('['), end });
    } else {
      advance(line, state);
      const last = sections.at(-1);
      // Comments before the next header describe that one.
      if (last && !(isTopLevel && (trimmed === '' || trimmed.startsWith('#')))) last.end = end;
    }
    offset += line.length + 1;
  }
  return sections;
}

/** The multiline string or brackets that are open at the end of a line. */
interface State {
  quote: '"""' | "'''" | undefined;
  depth: number;
}

function advance(line: string, state: State): void {
  for (let at = 0; at < line.length; ) {
    const remaining = line.slice(at);
    if (state.quote) {
      at += lengthToClose(remaining, state);
      continue;
    }
    const [opening] = /^("""|''')/.exec(remaining) ?? [];
    if (opening) {
      state.quote = opening as '"""' | "'''";
      at += 3;
      continue;
    }
    const [quoted] = /^("(?:[^"\\]|\\.)*"|'[^']*')/.exec(remaining) ?? [];
    if (quoted) {
      at += quoted.length;
      continue;
    }
    const character = remaining[0] as string;
    if (character === '#') return;
    if ('[{'.includes(character)) state.depth += 1;
    if (']}'.includes(character)) state.depth -= 1;
    at += 1;
  }
}

/** The number of characters up to the end of a multiline string. Up to two quotes may precede the three that end it. */
function lengthToClose(remaining: string, state: State): number {
  const pattern =
    state.quote === '"""' ? /^(?:[^"\\]|\\.?|"{1,2}(?!"))*?"{3,5}/ : /^(?:[^']|'{1,2}(?!'))*?'{3,5}/;
  const [found] = pattern.exec(remaining) ?? [];
  if (found === undefined) return remaining.length;
  state.quote = undefined;
  return found.length;
}

/** The keys of a header such as `[a."b.c"]`. Parsed alone, the header is a document with one nested table. */
function keysOf(header: string): string[] {
  const keys: string[] = [];
  let table: unknown = parse(header);
  while (typeof table === 'object' && table !== null) {
    const [key] = Object.keys(table);
    if (key === undefined) break;
    if (!Array.isArray(table)) keys.push(key);
    table = (table as Record<string, unknown>)[key];
  }
  return keys;
}

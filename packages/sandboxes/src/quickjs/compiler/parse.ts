import { type Options, type Program, parse } from 'acorn';

/** A position in the code that was parsed; lines and columns count from 1. */
export interface Position {
  line: number;
  column: number;
}

export type Parsed =
  | { type: 'parsed'; program: Program }
  | { type: 'failed'; message: string; at: number; position: Position }
  /** Too deep for this parser: no reason to refuse the code. */
  | { type: 'unknown' };

/** Reads JavaScript, which TypeScript becomes without its types. The engine reads it once more, and has the last word. */
export function parseScript(code: string): Parsed {
  return attempt(code, { ecmaVersion: 'latest', sourceType: 'script' });
}

export function parseModule(code: string): Parsed {
  return attempt(code, { ecmaVersion: 'latest', sourceType: 'module' });
}

export function positionOf(text: string, at: number): Position {
  const lines = text.slice(0, at).split('\n');
  return { line: lines.length, column: (lines.at(-1)?.length ?? 0) + 1 };
}

interface Refusal {
  loc?: { line: number; column: number };
  pos: number;
  message: string;
}

function attempt(code: string, options: Options): Parsed {
  try {
    return { type: 'parsed', program: parse(code, options) };
  } catch (error) {
    const { loc, pos, message } = error as Refusal;
    if (!loc) return { type: 'unknown' };
    const position = { line: loc.line, column: loc.column + 1 };
    return { type: 'failed', message: message.replace(/ \(\d+:\d+\)$/, ''), at: pos, position };
  }
}

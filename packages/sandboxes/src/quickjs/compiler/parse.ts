import { type Options, type Program, parse } from 'acorn';

/** A position in the parsed code. Lines and columns count from 1. */
export interface Position {
  line: number;
  column: number;
}

export type Parsed =
  | { type: 'parsed'; program: Program }
  | { type: 'failed'; message: string; at: number; position: Position }
  /** The code is nested too deeply for this parser, which is no reason to reject it. */
  | { type: 'unknown' };

/** Parses JavaScript, after types were removed. The engine parses it again and has the final decision. */
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

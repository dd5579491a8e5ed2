import { type Options, type Program, parse } from 'acorn';

/** A position in the code that was parsed; lines and columns count from 1. */
export interface Position {
  line: number;
  column: number;
}

export type Parsed =
  | { type: 'parsed'; program: Program }
  | { type: 'failed'; message: string; position: Position }
  /** Too deep for this parser: no reason to refuse the code. */
  | { type: 'unknown' };

/** Reads JavaScript, which TypeScript becomes without its types. The engine reads it once more, and has the last word. */
export function parseScript(code: string): Parsed {
  return attempt(code, { ecmaVersion: 'latest', sourceType: 'script' });
}

export function parseModule(code: string): Parsed {
  return attempt(code, { ecmaVersion: 'latest', sourceType: 'module' });
}

function attempt(code: string, options: Options): Parsed {
  try {
    return { type: 'parsed', program: parse(code, options) };
  } catch (error) {
    const { loc, message } = error as { loc?: { line: number; column: number }; message: string };
    if (!loc) return { type: 'unknown' };
    const position = { line: loc.line, column: loc.column + 1 };
    return { type: 'failed', message: message.replace(/ \(\d+:\d+\)$/, ''), position };
  }
}

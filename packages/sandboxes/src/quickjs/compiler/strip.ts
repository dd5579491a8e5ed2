import { transformSync } from 'amaro';
import { parseModule, parseScript } from './parse.ts';

export type Stripped = { type: 'stripped'; code: string; map: { map?: string } };
export interface StripFailure {
  type: 'failed';
  message: string;
  line: number;
  column: number;
}

/** Rewrites syntax that the engine does not support. */
export type Lower = (text: string) => Stripped | StripFailure;

/** Converts TypeScript to JavaScript that the engine can parse. */
export function strip(text: string, lower: Lower): Stripped | StripFailure {
  const stripped = stripTypes(text);
  return stripped.type === 'stripped' && isNew(stripped.code) ? lower(text) : stripped;
}

/** Whether the parser stops at a decorator or an `accessor` field, neither of which it supports. */
function isNew(code: string): boolean {
  return /@|\baccessor\b/.test(code) && [parseScript, parseModule].some((parse) => stopsAtNew(code, parse));
}

function stopsAtNew(code: string, parse: typeof parseScript): boolean {
  const parsed = parse(code);
  if (parsed.type !== 'failed') return false;
  const before = code.slice(0, parsed.at);
  return code[parsed.at] === '@' || /\baccessor[ \t]+$/.test(before);
}

/**
 * Removes the types. Blanks keep every position. Enums, namespaces and parameter properties become code, and a source map then records the
 * positions.
 */
export function stripTypes(text: string): Stripped | StripFailure {
  try {
    return { type: 'stripped', code: transformSync(text, { mode: 'strip-only' }).code, map: {} };
  } catch (error) {
    const failure = asFailure(error);
    return failure.code === 'UnsupportedSyntax' ? transform(text) : failure;
  }
}

function transform(text: string): Stripped | StripFailure {
  try {
    const { code, map } = transformSync(text, { mode: 'transform', sourceMap: true });
    return {
      type: 'stripped',
      code: code.replace(/;\s*$/, ''),
      map: map ? { map: JSON.parse(map).mappings } : {},
    };
  } catch (error) {
    return asFailure(error);
  }
}

/** The parser throws plain objects for errors in the code. Any other error is a failure of the parser. */
function asFailure(error: unknown): StripFailure & { code: string } {
  const { code, message, startLine, startColumn } = error as Record<string, unknown>;
  if (typeof code !== 'string' || typeof startLine !== 'number') throw error;
  return { type: 'failed', code, message: String(message), line: startLine, column: Number(startColumn) + 1 };
}

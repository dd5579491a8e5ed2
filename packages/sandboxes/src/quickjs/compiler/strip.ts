import { transformSync } from 'amaro';
import { parseModule, parseScript } from './parse.ts';

export type Stripped = { type: 'stripped'; code: string; map: { map?: string } };
export interface StripFailure {
  type: 'failed';
  message: string;
  line: number;
  column: number;
}

/** Rewrites what the engine does not know. */
export type Lower = (text: string) => Stripped | StripFailure;

/** TypeScript to what the engine reads. */
export function strip(text: string, lower: Lower): Stripped | StripFailure {
  const stripped = stripTypes(text);
  return stripped.type === 'stripped' && isNew(stripped.code) ? lower(text) : stripped;
}

/** Decorators, and `accessor` fields: where the parser, which knows neither, stops. */
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
 * Removes the types. Blanking them keeps every position; enums, namespaces and parameter properties need code in their
 * place, and then a map says where things were.
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

/** The parser throws plain objects for what is wrong with the code; anything else means that it broke. */
function asFailure(error: unknown): StripFailure & { code: string } {
  const { code, message, startLine, startColumn } = error as Record<string, unknown>;
  if (typeof code !== 'string' || typeof startLine !== 'number') throw error;
  return { type: 'failed', code, message: String(message), line: startLine, column: Number(startColumn) + 1 };
}

import { RE2JS } from 're2js';

/** A pattern of a schema, matched in time that grows with the text and never explodes. */
export interface LinearPattern {
  /** How much each character of a text may cost. */
  size: number;
  test(text: string): boolean;
}

const kept = 500;
const longestPattern = 2_000;
const patterns = new Map<string, LinearPattern | null>();

/**
 * The `pattern` of a JSON Schema, or undefined where this engine does not have it: look-around and references back cannot be matched
 * in linear time, and what is too long or is no pattern at all is left alone too.
 */
export function linearPattern(source: string): LinearPattern | undefined {
  const known = patterns.get(source);
  if (known !== undefined) {
    patterns.delete(source);
    patterns.set(source, known);
    return known ?? undefined;
  }
  const pattern = compile(source);
  patterns.set(source, pattern ?? null);
  const oldest = patterns.keys().next();
  if (patterns.size > kept && !oldest.done) patterns.delete(oldest.value);
  return pattern;
}

function compile(source: string): LinearPattern | undefined {
  if (source.length > longestPattern) return undefined;
  try {
    const compiled = RE2JS.compile(RE2JS.translateRegExp(source));
    return { size: compiled.programSize(), test: (text) => compiled.test(text) };
  } catch {
    return undefined;
  }
}

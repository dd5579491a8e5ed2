import { RE2JS } from 're2js';

/** A pattern of a schema, matched in time that grows with the text and never explodes. */
export interface LinearPattern {
  /** What matching a text of this length may take, in steps of a budget. */
  cost(length: number): number;
  test(text: string): boolean;
}

const kept = 100;
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
  const pattern = source.length > longestPattern ? undefined : create(source);
  patterns.set(source, pattern ?? null);
  const oldest = patterns.keys().next();
  if (patterns.size > kept && !oldest.done) patterns.delete(oldest.value);
  return pattern;
}

/** What a compiled pattern learns from texts can grow to 8 MB, so after this many characters it starts anew. */
const renewAfter = 2_000;

function create(source: string): LinearPattern | undefined {
  let compiled = compile(source);
  if (compiled === undefined) return undefined;
  const size = compiled.programSize();
  let characters = 0;
  return {
    cost: (length) => costOf(size, length),
    test(text) {
      characters += text.length;
      if (compiled === undefined || characters > renewAfter) {
        compiled = compile(source);
        characters = text.length;
      }
      const matched = compiled?.test(text) ?? true;
      if (text.length > renewAfter) compiled = undefined;
      return matched;
    },
  };
}

function compile(source: string): RE2JS | undefined {
  try {
    return RE2JS.compile(RE2JS.translateRegExp(source));
  } catch {
    return undefined;
  }
}

/**
 * A character costs little where the engine has been in that state before. At worst each leads to a new state, which costs up to the size of
 * the pattern; a small pattern has few states. Starting anew costs the size of the pattern too.
 */
function costOf(size: number, length: number): number {
  const newStates = Math.min(length, 2 ** Math.min(size, 30));
  return 20 + length / 4 + (newStates * Math.min(size, 200)) / 8 + (length * size) / 500;
}

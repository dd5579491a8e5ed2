import { RE2JS } from 're2js';

/** A pattern of a schema that matches in linear time. */
export interface LinearPattern {
  /** The maximum cost of matching a text of this length, in steps of a budget. */
  cost(length: number): number;
  test(text: string): boolean;
}

const kept = 100;
const longestPattern = 2_000;
const patterns = new Map<string, LinearPattern | null>();

/**
 * Compiles the `pattern` of a JSON Schema. Returns undefined if this engine does not support it: look-around and back-references have no
 * linear-time match. The same applies to patterns that are too long or invalid.
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

/** The cache of a compiled pattern can grow to 8 MB, so the pattern is compiled again after this many characters. */
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
 * A character costs little if the engine knows the state. At worst each character leads to a new state, which costs up to the square of the
 * size of the pattern; a small pattern has few states. Compiling again costs the size of the pattern too.
 */
function costOf(size: number, length: number): number {
  const newStates = Math.min(length, 2 ** Math.min(size, 30));
  return 8 + length / 5 + (newStates * Math.min(size, 200) ** 2) / 600 + (length * size) / 500;
}

import type { Tool } from '../../ports/source.ts';
import { ReadablePrinter, TooLong } from './readable-printer.ts';
import { ShapeReader } from './shape-reader.ts';
import { SharedTypes } from './shared-types.ts';
import { type Style, stylesFor } from './style.ts';
import { TypeNames } from './type-names.ts';

/*
 * A tool is shown as TypeScript in two forms, printed by one walk over its shapes (`shape-printer.ts`):
 * a short one to read (`signatureOf`, here) and a complete one for the type checker (`declarationOf`).
 *
 * 1. `shape-reader.ts` reads a JSON schema as a `Shape`, one level at a time, within a limit of steps.
 * 2. `shared-types.ts` finds the definitions that need a name.
 * 3. `readable-printer.ts` prints the shapes in a `Style`. If the text is too long, a shorter style is tried.
 *
 * `example.ts` writes a call with example values.
 */

export interface SignatureOptions {
  /** Levels of objects that are spelt out, if they fit. */
  depth?: number;
  maxChars?: number;
}

/** A dozen signatures of this length fit into one response. A caller who sets a depth gets the larger maximum. */
const defaultMaxChars = 1_450;
const maxCharsWithDepth = 40_000;

type ToolSchemas = Pick<Tool, 'inputSchema' | 'outputSchema' | 'definitions'>;

/**
 * A tool as TypeScript that is short enough to read: `(input: { owner: string; title: string }) => Promise<Issue>`, and
 * the types that it names. If the text is too long, details are dropped step by step, those of the result first. The
 * text parses as a type and as a program.
 */
export function signatureOf(tool: ToolSchemas, { depth, maxChars }: SignatureOptions = {}): string {
  if (depth !== undefined) return printFitting(tool, stylesFor(depth), maxChars ?? maxCharsWithDepth);
  const chars = maxChars ?? defaultMaxChars;
  const cache = cachedSignatures(tool);
  const text = cache.get(chars) ?? printFitting(tool, stylesFor(undefined), chars);
  cache.set(chars, text);
  return text;
}

interface CachedSignatures {
  tool: ToolSchemas;
  byChars: Map<number, string>;
}

/**
 * Searches print the same signatures repeatedly. The key is the input schema: it belongs to one tool, and is garbage
 * collected with the chunk that it was read from.
 */
const signatureCache = new WeakMap<object, CachedSignatures>();

function cachedSignatures(tool: ToolSchemas): Map<number, string> {
  const { inputSchema, outputSchema, definitions } = tool;
  if (typeof inputSchema !== 'object') return new Map();
  const cached = signatureCache.get(inputSchema);
  if (cached && cached.tool.outputSchema === outputSchema && cached.tool.definitions === definitions)
    return cached.byChars;
  const byChars = new Map<number, string>();
  signatureCache.set(inputSchema, { tool: { inputSchema, outputSchema, definitions }, byChars });
  return byChars;
}

/**
 * Prints with the most detailed style that fits. Each style is shorter than the one before, so a binary search finds
 * it.
 */
function printFitting(tool: ToolSchemas, styles: Style[], maxChars: number): string {
  const input = new ShapeReader(tool.inputSchema, tool.definitions, 'Input');
  const output = new ShapeReader(tool.outputSchema ?? true, tool.definitions, 'Output');
  const shared = new Map<string, ReadonlySet<string>>();
  let found = '(input: object) => Promise<unknown>; // too large to show. includeSchemas returns its schemas';
  let [low, high] = [0, styles.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    const text = printWith({ style: styles[middle] as Style, maxChars, shared }, input, output);
    if (text === undefined) low = middle + 1;
    else [found, high] = [text, middle];
  }
  return found;
}

interface Printing {
  style: Style;
  maxChars: number;
  /** Cached keys of the shared types, by depth. */
  shared: Map<string, ReadonlySet<string>>;
}

/** The signature in this style; undefined if it is too long. */
function printWith(
  { style, maxChars, shared }: Printing,
  input: ShapeReader,
  output: ShapeReader,
): string | undefined {
  try {
    const names = new TypeNames();
    // Shared types are computed lazily: most texts exceed the maximum before the first reference.
    const printer = new ReadablePrinter({ style, names, maxChars }, () =>
      sharedAt(style, shared, { input, output }),
    );
    const inputType = printer.print(input, 'input');
    const outputType = printer.print(output, 'output');
    const parameter = inputType === '{}' ? '' : `input${printer.isOptional(input) ? '?' : ''}: ${inputType}`;
    const text = [`(${parameter}) => Promise<${outputType}>;`, ...printer.declarations()].join('\n');
    return text.length <= maxChars ? text : undefined;
  } catch (error) {
    // A RangeError means that the schema is nested deeper than the stack. It is too long as well.
    if (error instanceof TooLong || error instanceof RangeError) return undefined;
    throw error;
  }
}

function sharedAt(
  { depth }: Style,
  cache: Map<string, ReadonlySet<string>>,
  { input, output }: { input: ShapeReader; output: ShapeReader },
): ReadonlySet<string> {
  const key = `${depth.input} ${depth.output}`;
  const cached = cache.get(key);
  if (cached) return cached;
  const shared = new SharedTypes();
  shared.add(input, depth.input);
  shared.add(output, depth.output);
  cache.set(key, shared.keys);
  return shared.keys;
}

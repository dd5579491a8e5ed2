import type { Tool } from '../../ports/source.ts';
import { ShapeReader } from './shape-reader.ts';
import { SharedTypes } from './shared-types.ts';
import { type Style, stylesFor } from './style.ts';
import { TypeNames } from './type-names.ts';
import { TooLong, TypePrinter } from './type-printer.ts';

export interface SignatureOptions {
  /** How many levels of objects are spelt out, where that fits. */
  depth?: number;
  maxChars?: number;
}

/** Fits in an answer with a dozen others; whoever asks for a depth wants to read. */
const usualChars = 1_450;
const maxPrintedChars = 40_000;

type Described = Pick<Tool, 'inputSchema' | 'outputSchema' | 'definitions'>;

/**
 * A tool as TypeScript, short enough to read: `(input: { owner: string; title: string }) => Promise<Issue>`, and the types that it
 * names. What does not fit is left out bit by bit, of what it answers first. It parses, as a type and as a program.
 */
export function signatureOf(tool: Described, { depth, maxChars }: SignatureOptions = {}): string {
  if (depth !== undefined) return fitting(tool, stylesFor(depth), maxChars ?? maxPrintedChars);
  const chars = maxChars ?? usualChars;
  const known = printedBefore(tool);
  const text = known.get(chars) ?? fitting(tool, stylesFor(undefined), chars);
  known.set(chars, text);
  return text;
}

interface Printed {
  tool: Described;
  byChars: Map<number, string>;
}

/** By the schema of the input, which is of one tool and is let go when its chunk is: a search prints the same ones again and again. */
const printedTools = new WeakMap<object, Printed>();

function printedBefore(tool: Described): Map<number, string> {
  const { inputSchema, outputSchema, definitions } = tool;
  if (typeof inputSchema !== 'object') return new Map();
  const before = printedTools.get(inputSchema);
  if (before && before.tool.outputSchema === outputSchema && before.tool.definitions === definitions)
    return before.byChars;
  const byChars = new Map<number, string>();
  printedTools.set(inputSchema, { tool: { inputSchema, outputSchema, definitions }, byChars });
  return byChars;
}

/** The longest style that fits. Each is shorter than the one before, so that few have to be tried: most of a large tool is too long. */
function fitting(tool: Described, styles: Style[], maxChars: number): string {
  const input = new ShapeReader(tool.inputSchema, tool.definitions, 'Input');
  const output = new ShapeReader(tool.outputSchema ?? true, tool.definitions, 'Output');
  const shared = new Map<string, ReadonlySet<string>>();
  let found =
    '(input: object) => Promise<unknown>; // too large to be told: includeSchemas gives its schemas';
  let [low, high] = [0, styles.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    const text = printed(input, output, { style: styles[middle] as Style, maxChars, shared });
    if (text === undefined) low = middle + 1;
    else [found, high] = [text, middle];
  }
  return found;
}

interface Printing {
  style: Style;
  maxChars: number;
  /** What is shared at each depth that was looked at. */
  shared: Map<string, ReadonlySet<string>>;
}

function printed(
  input: ShapeReader,
  output: ShapeReader,
  { style, maxChars, shared }: Printing,
): string | undefined {
  try {
    const names = new TypeNames();
    // Most of what is too long is so before it comes to anything that may be shared.
    const printer = new TypePrinter({ style, names, maxChars }, () =>
      sharedAt(style, shared, { input, output }),
    );
    const taken = printer.print(input, 'input');
    const answered = printer.print(output, 'output');
    const parameter = taken === '{}' ? '' : `input${printer.isOptional(input) ? '?' : ''}: ${taken}`;
    const text = [`(${parameter}) => Promise<${answered}>;`, ...printer.declarations()].join('\n');
    return text.length <= maxChars ? text : undefined;
  } catch (error) {
    // A schema that is nested deeper than the stack is no different.
    if (error instanceof TooLong || error instanceof RangeError) return undefined;
    throw error;
  }
}

function sharedAt(
  { depth }: Style,
  known: Map<string, ReadonlySet<string>>,
  { input, output }: { input: ShapeReader; output: ShapeReader },
): ReadonlySet<string> {
  const key = `${depth.input} ${depth.output}`;
  const found = known.get(key);
  if (found) return found;
  const shared = new SharedTypes();
  shared.add(input, depth.input);
  shared.add(output, depth.output);
  known.set(key, shared.keys);
  return shared.keys;
}

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
const mostChars = 40_000;

/**
 * A tool as TypeScript, short enough to read: `(input: { owner: string; title: string }) => Promise<Issue>`, and the types that it
 * names. What does not fit is left out bit by bit, of what it answers first. It parses, as a type and as a program.
 */
export function signatureOf(
  tool: Pick<Tool, 'inputSchema' | 'outputSchema' | 'definitions'>,
  { depth, maxChars = depth === undefined ? usualChars : mostChars }: SignatureOptions = {},
): string {
  const input = new ShapeReader(tool.inputSchema, tool.definitions, 'Input');
  const output = new ShapeReader(tool.outputSchema ?? true, tool.definitions, 'Output');
  for (const style of stylesFor(depth)) {
    const text = printed(input, output, { style, maxChars });
    if (text !== undefined) return text;
  }
  return '(input: object) => Promise<unknown>; // too large to be told: includeSchemas gives its schemas';
}

function printed(
  input: ShapeReader,
  output: ShapeReader,
  { style, maxChars }: { style: Style; maxChars: number },
): string | undefined {
  const shared = new SharedTypes();
  const printer = new TypePrinter({ style, names: new TypeNames(), mostChars: maxChars }, shared.keys);
  try {
    shared.add(input, style.depth.input);
    shared.add(output, style.depth.output);
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

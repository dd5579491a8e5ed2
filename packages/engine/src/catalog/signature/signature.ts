import type { SignatureOptions } from '../../ports/print-thread.ts';
import type { Tool } from '../../ports/source.ts';
import { PrintBudget, PrintBudgetSpent, within } from './print-budget.ts';
import { ReadablePrinter, TooLong } from './readable-printer.ts';
import { ShapeReader } from './shape-reader.ts';
import { SharedTypes } from './shared-types.ts';
import { isIdentifier } from './source-text.ts';
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

/** A dozen signatures of this length fit into one response. A caller who sets a depth gets the larger maximum. */
const defaultMaxChars = 1_450;
const maxCharsWithDepth = 40_000;

type ToolSchemas = Pick<Tool, 'inputSchema' | 'outputSchema' | 'definitions'>;

/**
 * A tool as TypeScript that is short enough to read: `(input: { owner: string; title: string }) => Promise<Issue>`, and
 * the types that it names. If the text is too long, details are dropped step by step, those of the result first. The
 * text parses as a type and as a program. With a `budget`, throws
 * `PrintBudgetSpent` if it does not suffice.
 */
export function signatureOf(tool: ToolSchemas, options: SignatureOptions = {}, budget?: PrintBudget): string {
  if (budget) return printSignature(tool, options, budget);
  return within(
    () => printSignature(tool, options, signatureBudget(options)),
    () => summaryOf(tool, maxCharsOf(options)),
  );
}

function printSignature(tool: ToolSchemas, options: SignatureOptions, budget: PrintBudget): string {
  const styles = stylesFor(options.depth);
  const printing = { styles, maxChars: maxCharsOf(options), budget };
  const { fields = [] } = options;
  const spelledOut = fields.length > 0 ? printFitting(tool, { ...printing, fields }) : undefined;
  // The fields alone may be too long.
  return spelledOut ?? printFitting(tool, printing) ?? summaryOf(tool, printing.maxChars);
}

/** The longer the text may be, the more may be read for it. No depth raises this limit. */
function signatureBudget(options: SignatureOptions): PrintBudget {
  const total = 50_000 + 4 * maxCharsOf(options);
  return new PrintBudget({ perAttempt: total / 2, total });
}

/** The signature of a tool that takes too long to print. */
export const tooLarge =
  '(input: object) => Promise<unknown>; // too large to show. A call with a wrong input shows the fields in question';

const maxSummaryFields = 40;
const summaryEnd = '; // types are too large to show. A call with a wrong input shows the fields in question';

/** The fields of the input alone, as many as fit. */
function summaryOf({ inputSchema }: ToolSchemas, maxChars: number): string {
  if (typeof inputSchema !== 'object') return tooLarge;
  const { properties, required, ...others } = inputSchema;
  const hasMore = ['allOf', 'anyOf', 'oneOf', '$ref'].some((keyword) => Object.hasOwn(others, keyword));
  if (hasMore || typeof properties !== 'object' || properties === null) return tooLarge;
  const needed = new Set(Array.isArray(required) ? required : []);
  const names = Object.keys(properties).filter((key) => isIdentifier(key) && key.length <= 40);
  const ordered = [...names.filter((key) => needed.has(key)), ...names.filter((key) => !needed.has(key))];
  const fields = ordered.map((key) => `${key}${needed.has(key) ? '' : '?'}: unknown`);
  for (let count = Math.min(fields.length, maxSummaryFields); count > 0; count--) {
    const more = Object.keys(properties).length - count;
    const rest = more > 0 ? ` /* ${more} more */` : '';
    const text = `(input: { ${fields.slice(0, count).join('; ')}${rest} }) => Promise<unknown>${summaryEnd}`;
    if (text.length <= maxChars) return text;
  }
  return tooLarge;
}

export function maxCharsOf({ depth, maxChars }: SignatureOptions): number {
  return Math.min(maxChars ?? (depth === undefined ? defaultMaxChars : maxCharsWithDepth), maxCharsWithDepth);
}

interface Printing {
  styles: Style[];
  maxChars: number;
  budget: PrintBudget;
  fields?: readonly string[] | undefined;
}

/**
 * Prints with the most detailed style that fits. Each style is shorter than the one before, so a binary search finds
 * it; undefined if none fits. Throws `PrintBudgetSpent` if nothing is left for another attempt.
 */
function printFitting(tool: ToolSchemas, { styles, maxChars, budget, fields }: Printing): string | undefined {
  let found: string | undefined;
  let reading: Reading | undefined;
  let [low, high] = [0, styles.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    budget.startAttempt();
    try {
      reading ??= readingOf(tool, budget);
      const text = printWith(reading, { style: styles[middle] as Style, maxChars, fields });
      if (text === undefined) low = middle + 1;
      else [found, high] = [text, middle];
    } catch (error) {
      if (!(error instanceof PrintBudgetSpent) || budget.isSpent) throw error;
      // The reader stopped in the middle of a schema and knows only a part of it.
      reading = undefined;
      low = middle + 1;
    }
  }
  return found;
}

/** What the attempts to print a tool share. */
interface Reading {
  input: ShapeReader;
  output: ShapeReader;
  /** Cached keys of the shared types, by depth. */
  shared: Map<string, ReadonlySet<string>>;
}

function readingOf(
  { inputSchema, outputSchema = true, definitions }: ToolSchemas,
  budget: PrintBudget,
): Reading {
  return {
    input: new ShapeReader(inputSchema, definitions, { scope: 'Input', budget }),
    output: new ShapeReader(outputSchema, definitions, { scope: 'Output', budget }),
    shared: new Map(),
  };
}

/** Follows a signature that leaves out levels which the caller asked for. */
const cutNote = '\n// cut to its maximum length. describe.tool({ path, depth }) shows more of one tool';

/** The signature in this style; undefined if it is too long. */
function printWith(
  reading: Reading,
  { style, maxChars, fields }: Pick<Printing, 'maxChars' | 'fields'> & { style: Style },
): string | undefined {
  const { input, output } = reading;
  try {
    const names = new TypeNames();
    // Shared types are computed lazily: most texts exceed the maximum before the first reference.
    const printer = new ReadablePrinter({ style, names, maxChars, fields }, () => sharedAt(style, reading));
    const inputType = printer.print(input, 'input');
    const outputType = printer.print(output, 'output');
    const parameter = inputType === '{}' ? '' : `input${printer.isOptional(input) ? '?' : ''}: ${inputType}`;
    const types = [`(${parameter}) => Promise<${outputType}>;`, ...printer.declarations()].join('\n');
    const text = style.isCut ? `${types}${cutNote}` : types;
    return text.length <= maxChars ? text : undefined;
  } catch (error) {
    // A RangeError means that the schema is nested deeper than the stack. It is too long as well.
    if (error instanceof TooLong || error instanceof RangeError) return undefined;
    throw error;
  }
}

function sharedAt({ depth }: Style, { input, output, shared: cache }: Reading): ReadonlySet<string> {
  const key = `${depth.input} ${depth.output}`;
  const cached = cache.get(key);
  if (cached) return cached;
  const shared = new SharedTypes();
  shared.add(input, depth.input);
  shared.add(output, depth.output);
  cache.set(key, shared.keys);
  return shared.keys;
}

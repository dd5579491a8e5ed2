import type { JsonSchema, Tool } from '../../ports/source.ts';
import type { ArrayShape, ObjectShape, Reference, Shape } from './shape.ts';
import { ShapeReader } from './shape-reader.ts';
import { isShort, keyText, literalText, widened } from './source-text.ts';
import { TypeNames } from './type-names.ts';
import type { Direction } from './type-printer.ts';

export interface Declaration {
  /** The tool as the type of a function. */
  type: string;
  /** The types that it names, which begin with `prefix`. */
  types: string[];
}

interface Options {
  /** What the names of its types begin with, so that those of two tools are not the same. */
  prefix: string;
  /** The answer may have any form. */
  anyOutput?: boolean;
}

/** Past this, what is left is `any`: some documents lead from everything to everything. */
const maxChars = 100_000;
const maxDepth = 60;
/** A value beyond these is checked when it comes. */
const maxValues = 1_000;
const longestValue = 1_000;

/**
 * A tool as a type checker needs it: everything, without words. It refuses only what the tool itself would refuse: a field that the
 * schema lets through is let through, and what TypeScript cannot say is `any`.
 */
export function declarationOf(
  tool: Pick<Tool, 'inputSchema' | 'outputSchema' | 'definitions'>,
  { prefix, anyOutput = false }: Options,
): Declaration {
  const printer = new ExactPrinter(prefix);
  const input = new ShapeReader(tool.inputSchema, tool.definitions, 'Input');
  const taken = printer.print(input, 'input');
  const output = anyOutput ? true : (tool.outputSchema ?? true);
  const answered = printer.print(new ShapeReader(output, tool.definitions, 'Output'), 'output');
  const mark = isOptional(input) ? '?' : '';
  return { type: `(input${mark}: ${taken}) => Promise<${answered}>`, types: printer.named() };
}

function isOptional(reader: ShapeReader): boolean {
  const shape = reader.expand(reader.shape(reader.root));
  return shape.kind !== 'object' || !shape.fields.some((field) => reader.mustBeGiven(field));
}

interface At {
  reader: ShapeReader;
  direction: Direction;
  /** Integers that JavaScript would round are given as text. */
  takesDigits: boolean;
  depth: number;
}

// biome-ignore lint/suspicious/noTemplateCurlyInString: it is one of TypeScript's types
const digits = '(number | `${bigint}`)';

class ExactPrinter {
  readonly #prefix: string;
  readonly #typeNames = new TypeNames();
  readonly #names = new Map<string, { name: string; reference: Reference; at: At }>();
  #chars = 0;

  constructor(prefix: string) {
    this.#prefix = prefix;
  }

  print(reader: ShapeReader, direction: Direction): string {
    const { root } = reader;
    const takesDigits = direction === 'input' && typeof root === 'object' && root.largeIntegers === 'text';
    return this.#schema(root, { reader, direction, takesDigits, depth: 0 });
  }

  /** Printing one may name others. */
  named(): string[] {
    const types: string[] = [];
    for (const { name, reference, at } of this.#names.values())
      types.push(`type ${name} = ${this.#schema(reference.schema, at)};`);
    return types;
  }

  #schema(schema: JsonSchema, at: At): string {
    if (this.#chars > maxChars || at.depth > maxDepth) return 'any';
    const text = this.#shape(at.reader.shape(schema), { ...at, depth: at.depth + 1 });
    this.#chars += Math.min(text.length, 40);
    return text;
  }

  #shape(shape: Shape, at: At): string {
    switch (shape.kind) {
      case 'any':
      case 'never':
        return shape.kind;
      case 'primitive':
        return shape.name === 'number' && at.takesDigits ? digits : shape.name;
      case 'literals':
        return this.#literals(shape.values);
      case 'array':
        return this.#array(shape, at);
      case 'object':
        return this.#object(shape, at);
      case 'reference':
        return this.#reference(shape, at);
      case 'union':
        return this.#members(shape.members, ' | ', at);
      case 'intersection':
        return this.#members(shape.members, ' & ', at);
    }
  }

  #literals(values: unknown[]): string {
    const isTold = values.length <= maxValues && values.every((value) => isShort(value, longestValue));
    const text = isTold ? values.map((value) => literalText(value)).join(' | ') : widened(values);
    this.#chars += text.length;
    return text;
  }

  #members(members: Shape[], between: string, at: At): string {
    return members.map((member) => `(${this.#shape(member, at)})`).join(between);
  }

  #array({ prefix, least, items }: ArrayShape, at: At): string {
    const rest = items === undefined ? undefined : `(${this.#schema(items, at)})[]`;
    if (prefix.length === 0) return rest ?? '[]';
    const first = prefix.map((one, place) => `(${this.#schema(one, at)})${place < least ? '' : '?'}`);
    return `[${[...first, ...(rest === undefined ? [] : [`...${rest}`])].join(', ')}]`;
  }

  #object({ fields, others }: ObjectShape, at: At): string {
    const lines = fields.map((field) => {
      const isThere = at.direction === 'input' ? at.reader.mustBeGiven(field) : field.required;
      return `${keyText(field.key)}${isThere ? '' : '?'}: ${this.#schema(field.schema, at)}`;
    });
    const index = this.#index({ kind: 'object', fields, others }, at);
    return `{ ${[...lines, ...(index === undefined ? [] : [`[key: string]: ${index}`])].join('; ')} }`;
  }

  /** An index has to fit the fields beside it. Of an answer, a field that was not told of is a mistake more often than not. */
  #index({ fields, others }: ObjectShape, at: At): string | undefined {
    if (fields.length > 0)
      return others === undefined || (others === true && at.direction === 'output') ? undefined : 'any';
    return others === undefined ? 'never' : this.#schema(others, at);
  }

  #reference(reference: Reference, at: At): string {
    const expanded = at.reader.expand(reference);
    // Where it is short it stands for itself, so that a message about it says what is wanted.
    if (expanded.kind === 'primitive') return this.#shape(expanded, at);
    if (expanded.kind === 'literals' && expanded.values.length <= 60) return this.#shape(expanded, at);
    const key = `${at.direction} ${reference.key}`;
    const known = this.#names.get(key);
    if (known) return known.name;
    const name = `${this.#prefix}${this.#typeNames.of({ key, name: reference.name })}`;
    this.#names.set(key, { name, reference, at: { ...at, depth: 0 } });
    return name;
  }
}

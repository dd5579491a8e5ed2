import type { Declaration, DeclarationOptions } from '../../ports/print-thread.ts';
import type { JsonSchema, Tool } from '../../ports/source.ts';
import { fullBudget, type PrintBudget, within } from './print-budget.ts';
import type { ObjectShape, Reference, Shape } from './shape.ts';
import { type Direction, type Position, ShapePrinter } from './shape-printer.ts';
import { ShapeReader } from './shape-reader.ts';
import { isShort, keyText, literalText, widened } from './source-text.ts';
import { TypeNames } from './type-names.ts';

/** Types beyond these limits are `any`: in some documents every type refers to every other. */
const maxChars = 100_000;
const maxDepth = 60;
/** Values beyond these limits are only checked when the call is made. */
const maxValues = 1_000;
const maxValueChars = 1_000;
const maxInlineValues = 60;

/**
 * A tool as a type checker needs it: complete, without comments. It rejects only what the tool itself would reject.
 * Fields that the schema accepts are accepted, and what TypeScript cannot express is `any`. With a
 * `budget`, throws `PrintBudgetSpent` if it does not suffice.
 */
export function declarationOf(
  tool: DeclaredTool,
  options: DeclarationOptions,
  budget?: PrintBudget,
): Declaration {
  if (budget) return printDeclaration(tool, options, budget);
  return within(
    () => printDeclaration(tool, options, fullBudget()),
    () => anyFunction,
  );
}

/** The declaration of a tool that takes too long to print. */
export const anyFunction: Declaration = { type: '(input?: any) => Promise<any>', types: [] };

type DeclaredTool = Pick<Tool, 'inputSchema' | 'outputSchema' | 'definitions'>;

function printDeclaration(
  tool: DeclaredTool,
  { prefix, anyOutput = false }: DeclarationOptions,
  budget: PrintBudget,
): Declaration {
  const printer = new ExactPrinter(prefix);
  const input = new ShapeReader(tool.inputSchema, tool.definitions, { scope: 'Input', budget });
  const inputType = printer.print(input, 'input');
  const outputSchema = anyOutput ? true : (tool.outputSchema ?? true);
  const output = new ShapeReader(outputSchema, tool.definitions, { scope: 'Output', budget });
  const outputType = printer.print(output, 'output');
  const mark = isOptional(input) ? '?' : '';
  return { type: `(input${mark}: ${inputType}) => Promise<${outputType}>`, types: printer.namedTypes() };
}

function isOptional(reader: ShapeReader): boolean {
  const shape = reader.expand(reader.shape(reader.root));
  return shape.kind !== 'object' || !shape.fields.some((field) => reader.mustBeSent(field));
}

/** `depth` counts the levels above the position. */
interface ExactPosition extends Position {
  /** Integers that JavaScript would round may be sent as text. */
  acceptsDigits: boolean;
}

// biome-ignore lint/suspicious/noTemplateCurlyInString: it is one of TypeScript's types
const digits = '(number | `${bigint}`)';

class ExactPrinter extends ShapePrinter<ExactPosition> {
  readonly #prefix: string;
  readonly #typeNames = new TypeNames();
  readonly #named = new Map<string, { name: string; reference: Reference; position: ExactPosition }>();
  #chars = 0;

  constructor(prefix: string) {
    super();
    this.#prefix = prefix;
  }

  print(reader: ShapeReader, direction: Direction): string {
    const { root } = reader;
    const acceptsDigits = direction === 'input' && typeof root === 'object' && root.largeIntegers === 'text';
    return this.printSchema(root, { reader, direction, acceptsDigits, depth: 0 });
  }

  /** The declarations of the named types. Printing one may name others. */
  namedTypes(): string[] {
    const types: string[] = [];
    for (const { name, reference, position } of this.#named.values())
      types.push(`type ${name} = ${this.printSchema(reference.schema, position)};`);
    return types;
  }

  protected override printSchema(schema: JsonSchema, position: ExactPosition): string {
    if (this.#chars > maxChars || position.depth > maxDepth) return 'any';
    const text = super.printSchema(schema, { ...position, depth: position.depth + 1 });
    this.#chars += Math.min(text.length, 40);
    return text;
  }

  protected override printKeyword(name: string, { acceptsDigits }: ExactPosition): string {
    return name === 'number' && acceptsDigits ? digits : name;
  }

  protected override printLiterals(values: unknown[]): string {
    const isPrinted = values.length <= maxValues && values.every((value) => isShort(value, maxValueChars));
    const text = isPrinted ? values.map((value) => literalText(value)).join(' | ') : widened(values);
    this.#chars += text.length;
    return text;
  }

  protected override groupItems(text: string): string {
    return `(${text})`;
  }

  protected override groupMember(text: string): string {
    return `(${text})`;
  }

  protected override printObject(shape: ObjectShape, position: ExactPosition): string {
    const fields = shape.fields.map((field) => {
      const isRequired = position.direction === 'input' ? position.reader.mustBeSent(field) : field.required;
      return `${keyText(field.key)}${isRequired ? '' : '?'}: ${this.printSchema(field.schema, position)}`;
    });
    const index = this.#indexType(shape, position);
    return `{ ${[...fields, ...(index === undefined ? [] : [`[key: string]: ${index}`])].join('; ')} }`;
  }

  /**
   * An index signature has to fit the fields beside it. In a result, use of an undeclared field is usually a mistake.
   */
  #indexType({ fields, others }: ObjectShape, position: ExactPosition): string | undefined {
    if (fields.length > 0)
      return others === undefined || (others === true && position.direction === 'output') ? undefined : 'any';
    return others === undefined ? 'never' : this.printSchema(others, position);
  }

  protected override printReference(reference: Reference, position: ExactPosition): string {
    const expanded = position.reader.expand(reference);
    if (isShownInline(expanded)) return this.printShape(expanded, position);
    const key = `${position.direction} ${reference.key}`;
    const known = this.#named.get(key);
    if (known) return known.name;
    const name = `${this.#prefix}${this.#typeNames.of({ key, name: reference.name })}`;
    this.#named.set(key, { name, reference, position: { ...position, depth: 0 } });
    return name;
  }
}

/** Short types have no name, so that a message of the type checker shows the expected values. */
function isShownInline(shape: Shape): boolean {
  if (shape.kind === 'primitive') return true;
  return shape.kind === 'literals' && shape.values.length <= maxInlineValues;
}

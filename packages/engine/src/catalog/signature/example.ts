import type { JsonSchema, Tool } from '../../ports/source.ts';
import { fullBudget, type PrintBudget, within } from './print-budget.ts';
import { type ArrayShape, type ObjectShape, partsOf, type Shape } from './shape.ts';
import { ShapeReader } from './shape-reader.ts';
import { isIdentifier, isShort, stringText } from './source-text.ts';

const maxDepth = 12;
const maxChars = 2_000;
/** Longer values and names do not help a reader. */
const maxValueChars = 200;

/** Code that calls the tool with its required fields only. With a `budget`, throws `PrintBudgetSpent` if it does not suffice. */
export function exampleOf(
  tool: Pick<Tool, 'path' | 'inputSchema' | 'definitions'>,
  budget?: PrintBudget,
): string {
  if (budget) return printExample(tool, budget);
  return within(
    () => printExample(tool, fullBudget()),
    () => generalExample(tool),
  );
}

/** The example of a tool that takes too long to print. */
export function generalExample({ path }: Pick<Tool, 'path'>): string {
  return `await tools${memberPath(path)}({ /* too large to show */ })`;
}

function printExample(tool: Pick<Tool, 'path' | 'inputSchema' | 'definitions'>, budget: PrintBudget): string {
  const reader = new ShapeReader(tool.inputSchema, tool.definitions, { scope: 'Input', budget });
  const example = new Example(reader);
  const value = example.value(reader.root, { name: 'input', depth: 0 });
  return `await tools${memberPath(tool.path)}(${value === '{}' ? '' : value})`;
}

/** Segments that are not identifiers are written as strings, so that the example runs. */
function memberPath(path: string): string {
  return path
    .split('.')
    .map((segment) => (isIdentifier(segment) ? `.${segment}` : `[${stringText(segment)}]`))
    .join('');
}

interface Position {
  /** The name of the field, which is also the example of a text. */
  name: string;
  depth: number;
}

class Example {
  readonly #reader: ShapeReader;
  #chars = 0;

  constructor(reader: ShapeReader) {
    this.#reader = reader;
  }

  value(schema: JsonSchema, position: Position): string {
    // A schema that requires itself has no example.
    if (position.depth > maxDepth || this.#chars > maxChars) return 'null';
    const text = this.#shape(this.#reader.shape(schema), schema, position);
    this.#chars += Math.min(text.length, 40);
    return text;
  }

  #shape(shape: Shape, schema: JsonSchema, position: Position): string {
    if (position.depth > maxDepth) return 'null';
    this.#reader.spend(1 + partsOf(shape));
    switch (shape.kind) {
      case 'any':
        return stringText(position.name.slice(0, maxValueChars));
      case 'never':
        return nothing;
      case 'primitive':
        return this.#primitive(shape.name, schema, position);
      case 'literals':
        return this.#literal(schema, shape.values);
      case 'array':
        return this.#array(shape, schema, position);
      case 'object':
        return this.#object(shape, position);
      case 'reference':
        return this.#shape(this.#reader.expand(shape), shape.schema, {
          ...position,
          depth: position.depth + 1,
        });
      case 'union':
        return this.#shape(firstOption(shape.members), {}, position);
      case 'intersection':
        return this.#intersection(shape.members, schema, position);
    }
  }

  /** The default, or else the first short value. */
  #literal(schema: JsonSchema, values: unknown[]): string {
    const defaultValue = this.#reader.keyword(schema, 'default');
    const isUsable = values.includes(defaultValue) && isShort(defaultValue, maxValueChars);
    const first = isUsable ? defaultValue : undefined;
    const found = first ?? values.find((value) => isShort(value, maxValueChars));
    return found === undefined ? nothing : valueText(found);
  }

  #primitive(name: 'string' | 'number' | 'boolean' | 'null', schema: JsonSchema, position: Position): string {
    const keyword = (key: string) => this.#reader.keyword(schema, key);
    const defaultValue = keyword('default');
    if (typeof defaultValue === name && isShort(defaultValue, maxValueChars)) return valueText(defaultValue);
    if (name === 'boolean') return 'true';
    if (name === 'null') return 'null';
    if (name === 'number')
      return String(numberFor(keyword('minimum'), keyword('exclusiveMinimum'), keyword('maximum')));
    const length = { min: keyword('minLength'), max: keyword('maxLength') };
    return stringText(textFor(position.name, keyword('format'), length));
  }

  #array({ prefix, minItems, items }: ArrayShape, schema: JsonSchema, position: Position): string {
    const inner = { ...position, depth: position.depth + 1 };
    const first = prefix.slice(0, minItems).map((one) => this.value(one, inner));
    const minCount = this.#reader.keyword(schema, 'minItems');
    const count = Math.min(typeof minCount === 'number' ? minCount : 1, 3);
    const others =
      items === undefined || prefix.length > 0 ? [] : Array(count).fill(this.value(items, inner));
    return `[${[...first, ...others].join(', ')}]`;
  }

  #object({ fields }: ObjectShape, position: Position): string {
    const needed = fields.filter(({ key, required }) => required && key.length <= maxValueChars);
    const lines = needed.map(({ key, schema }) => {
      // A plain `__proto__` key would set the prototype instead of a field.
      const name = key === '__proto__' ? '["__proto__"]' : isIdentifier(key) ? key : stringText(key);
      return `${name}: ${this.value(schema, { name: key, depth: position.depth + 1 })}`;
    });
    return lines.length === 0 ? '{}' : `{ ${lines.join(', ')} }`;
  }

  /** A value that satisfies all members, using the first option of each choice. */
  #intersection(members: Shape[], schema: JsonSchema, position: Position): string {
    const shapes = members
      .map((member) => this.#reader.expand(member))
      .map((member) => this.#reader.expand(member.kind === 'union' ? firstOption(member.members) : member));
    const objects = shapes.filter((shape) => shape.kind === 'object');
    const others = shapes.filter((shape) => shape.kind !== 'object');
    const [first] = others;
    if (first === undefined) return this.#shape(this.#reader.merge(objects), schema, position);
    const isOneKind = objects.length === 0 && new Set(others.map(kindOf)).size === 1;
    return isOneKind ? this.#shape(first, schema, { ...position, depth: position.depth + 1 }) : nothing;
  }
}

/** Stands for a value that does not exist or is too long to read. */
const nothing = 'null as never';

function kindOf(shape: Shape): string {
  return shape.kind === 'primitive' ? shape.name : shape.kind;
}

/** Null only if there is no other option. */
function firstOption(members: Shape[]): Shape {
  const isNull = (shape: Shape) => shape.kind === 'primitive' && shape.name === 'null';
  return members.find((member) => !isNull(member)) ?? { kind: 'primitive', name: 'null' };
}

function numberFor(min: unknown, exclusiveMin: unknown, max: unknown): number {
  if (typeof exclusiveMin === 'number') return Math.floor(exclusiveMin) + 1;
  if (typeof min === 'number' && min > 1) return min;
  if (typeof max === 'number' && max < 1) return max;
  return 1;
}

const formats = new Map([
  ['date-time', '2026-01-31T12:00:00Z'],
  ['date', '2026-01-31'],
  ['time', '12:00:00Z'],
  ['email', 'ada@example.com'],
  ['uri', 'https://example.com'],
  ['url', 'https://example.com'],
  ['uuid', '123e4567-e89b-42d3-a456-426614174000'],
  ['ipv4', '192.0.2.1'],
  ['ipv6', '2001:db8::1'],
  ['hostname', 'example.com'],
]);

function textFor(name: string, format: unknown, { min, max }: { min: unknown; max: unknown }): string {
  const known = typeof format === 'string' ? formats.get(format) : undefined;
  if (known !== undefined) return known;
  const maxLength = typeof max === 'number' ? Math.min(max, 40) : 40;
  const minLength = typeof min === 'number' ? Math.min(min, 100) : 0;
  return name.slice(0, Math.max(maxLength, minLength)).padEnd(minLength, 'x');
}

function valueText(value: unknown): string {
  if (typeof value === 'string') return stringText(value);
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  if (Array.isArray(value)) return `[${value.map(valueText).join(', ')}]`;
  const fields = Object.keys(value).map(
    (key) => `[${stringText(key)}]: ${valueText((value as Record<string, unknown>)[key])}`,
  );
  return `{ ${fields.join(', ')} }`;
}

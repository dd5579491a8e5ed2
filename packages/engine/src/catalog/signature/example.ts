import type { JsonSchema, Tool } from '../../ports/source.ts';
import type { ArrayShape, ObjectShape, Shape } from './shape.ts';
import { ShapeReader } from './shape-reader.ts';
import { isIdentifier, isShort, stringText } from './source-text.ts';

const maxDepth = 12;
const longest = 2_000;
/** A value or a name that is longer is no help. */
const longestValue = 200;

/** A call of the tool with everything that it needs and nothing else, as code. */
export function exampleOf(tool: Pick<Tool, 'path' | 'inputSchema' | 'definitions'>): string {
  const reader = new ShapeReader(tool.inputSchema, tool.definitions, 'Input');
  const example = new Example(reader);
  const value = example.value(reader.root, { name: 'input', depth: 0 });
  return `await tools${memberPath(tool.path)}(${value === '{}' ? '' : value})`;
}

/** Segments that are no names are written as strings, so that what stands in an example can be run. */
function memberPath(path: string): string {
  return path
    .split('.')
    .map((segment) => (isIdentifier(segment) ? `.${segment}` : `[${stringText(segment)}]`))
    .join('');
}

interface At {
  /** The field that it is for: a text that says so needs no other words. */
  name: string;
  depth: number;
}

class Example {
  readonly #reader: ShapeReader;
  #chars = 0;

  constructor(reader: ShapeReader) {
    this.#reader = reader;
  }

  value(schema: JsonSchema, at: At): string {
    // A form that needs itself for ever has no example.
    if (at.depth > maxDepth || this.#chars > longest) return 'null';
    const text = this.#shape(this.#reader.shape(schema), schema, at);
    this.#chars += Math.min(text.length, 40);
    return text;
  }

  #shape(shape: Shape, schema: JsonSchema, at: At): string {
    if (at.depth > maxDepth) return 'null';
    switch (shape.kind) {
      case 'any':
        return stringText(at.name.slice(0, longestValue));
      case 'never':
        return nothing;
      case 'primitive':
        return this.#primitive(shape.name, schema, at);
      case 'literals':
        return this.#literal(schema, shape.values);
      case 'array':
        return this.#array(shape, schema, at);
      case 'object':
        return this.#object(shape, at);
      case 'reference':
        return this.#shape(this.#reader.expand(shape), shape.schema, { ...at, depth: at.depth + 1 });
      case 'union':
        return this.#shape(chosen(shape.members), {}, at);
      case 'intersection':
        return this.#all(shape.members, schema, at);
    }
  }

  /** What the document gives if nothing is said, or else the first that can be read. */
  #literal(schema: JsonSchema, values: unknown[]): string {
    const byDefault = this.#reader.keyword(schema, 'default');
    const first = values.includes(byDefault) && isShort(byDefault, longestValue) ? byDefault : undefined;
    const found = first ?? values.find((value) => isShort(value, longestValue));
    return found === undefined ? nothing : valueText(found);
  }

  #primitive(name: 'string' | 'number' | 'boolean' | 'null', schema: JsonSchema, at: At): string {
    const of = (keyword: string) => this.#reader.keyword(schema, keyword);
    const byDefault = of('default');
    if (typeof byDefault === name && isShort(byDefault, longestValue)) return valueText(byDefault);
    if (name === 'boolean') return 'true';
    if (name === 'null') return 'null';
    if (name === 'number') return String(numberFor(of('minimum'), of('exclusiveMinimum'), of('maximum')));
    return stringText(textFor(at.name, of('format'), { least: of('minLength'), most: of('maxLength') }));
  }

  #array({ prefix, least, items }: ArrayShape, schema: JsonSchema, at: At): string {
    const inner = { ...at, depth: at.depth + 1 };
    const first = prefix.slice(0, least).map((one) => this.value(one, inner));
    const minItems = this.#reader.keyword(schema, 'minItems');
    const wanted = Math.min(typeof minItems === 'number' ? minItems : 1, 3);
    const rest = items === undefined || prefix.length > 0 ? [] : Array(wanted).fill(this.value(items, inner));
    return `[${[...first, ...rest].join(', ')}]`;
  }

  #object({ fields }: ObjectShape, at: At): string {
    const needed = fields.filter(({ key, required }) => required && key.length <= longestValue);
    const lines = needed.map(({ key, schema }) => {
      // As a plain key it would be the prototype instead of a field.
      const name = key === '__proto__' ? '["__proto__"]' : isIdentifier(key) ? key : stringText(key);
      return `${name}: ${this.value(schema, { name: key, depth: at.depth + 1 })}`;
    });
    return lines.length === 0 ? '{}' : `{ ${lines.join(', ')} }`;
  }

  /** Everything that is said of it at once, with the first of each choice. */
  #all(members: Shape[], schema: JsonSchema, at: At): string {
    const chosenOnes = members
      .map((member) => this.#reader.expand(member))
      .map((member) => this.#reader.expand(member.kind === 'union' ? chosen(member.members) : member));
    const objects = chosenOnes.filter((member) => member.kind === 'object');
    const others = chosenOnes.filter((member) => member.kind !== 'object');
    const [first] = others;
    if (first === undefined) return this.#shape(this.#reader.merge(objects), schema, at);
    const isOneKind = objects.length === 0 && new Set(others.map(kindOf)).size === 1;
    return isOneKind ? this.#shape(first, schema, { ...at, depth: at.depth + 1 }) : nothing;
  }
}

/** Where no value at all would do, or none that can be read. */
const nothing = 'null as never';

function kindOf(shape: Shape): string {
  return shape.kind === 'primitive' ? shape.name : shape.kind;
}

/** Null only where there is nothing else. */
function chosen(members: Shape[]): Shape {
  const isNull = (shape: Shape) => shape.kind === 'primitive' && shape.name === 'null';
  return members.find((member) => !isNull(member)) ?? { kind: 'primitive', name: 'null' };
}

function numberFor(least: unknown, above: unknown, most: unknown): number {
  if (typeof above === 'number') return Math.floor(above) + 1;
  if (typeof least === 'number' && least > 1) return least;
  if (typeof most === 'number' && most < 1) return most;
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

function textFor(name: string, format: unknown, { least, most }: { least: unknown; most: unknown }): string {
  const known = typeof format === 'string' ? formats.get(format) : undefined;
  if (known !== undefined) return known;
  const longestText = typeof most === 'number' ? Math.min(most, 40) : 40;
  const shortest = typeof least === 'number' ? Math.min(least, 100) : 0;
  return name.slice(0, Math.max(longestText, shortest)).padEnd(shortest, 'x');
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

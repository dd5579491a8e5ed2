import type { JsonSchema } from '../../ports/source.ts';
import type { ArrayShape, Field, ObjectShape, Reference, Shape } from './shape.ts';
import type { ShapeReader } from './shape-reader.ts';
import { commentText, cutLine, isIdentifier, isShort, keyText, literalText, widened } from './source-text.ts';
import type { Style } from './style.ts';
import type { TypeNames } from './type-names.ts';

/** Thrown where a text has become longer than it may be. */
export class TooLong extends Error {}
/** One for all: where it is from is of no interest, and finding that out takes longer than printing. */
const tooLong = new TooLong();

export type Direction = 'input' | 'output';

interface Parts {
  names: TypeNames;
  style: Style;
  maxChars: number;
}

/** Where in a type something is printed: how many levels may still be spelt out, and how far from the left it stands. */
interface At {
  reader: ShapeReader;
  direction: Direction;
  depth: number;
  indent: string;
}

interface NamedType {
  reference: Reference;
  at: At;
}

const widest = 90;
/** A name longer than this is counted, not told. */
const longestKey = 100;
const longestValue = 2_000;

/** Types for reading: only what the style lets through, what is used twice under a name of its own. */
export class TypePrinter {
  readonly #parts: Parts;
  /** What is declared on its own, in the order in which it was met, and how deep. */
  readonly #named = new Map<string, NamedType>();
  /** What is named, and told only at a greater depth. */
  readonly #untold = new Set<string>();
  readonly #shared: () => ReadonlySet<string>;
  /** What is being spelt out: within itself it can only be named. */
  readonly #open = new Set<string>();
  #chars = 0;

  constructor(parts: Parts, shared: () => ReadonlySet<string>) {
    this.#parts = parts;
    this.#shared = shared;
  }

  print(reader: ShapeReader, direction: Direction): string {
    const depth = this.#parts.style.depth[direction];
    return this.#schema(reader.root, { reader, direction, depth, indent: '' });
  }

  /** The fields of the input, whether or not it needs any. */
  isOptional(reader: ShapeReader): boolean {
    const shape = reader.expand(reader.shape(reader.root));
    return shape.kind === 'object' && !shape.fields.some((field) => reader.mustBeGiven(field));
  }

  /** The types that have names. Printing one may name others. */
  declarations(): string[] {
    const printed: string[] = [];
    for (const { reference, at } of this.#named.values()) {
      const body = this.#shape(at.reader.expand(reference), at);
      printed.push(`type ${this.#parts.names.of(reference)} = ${body};`);
    }
    const untold = [...this.#untold].filter(
      (name) => ![...this.#named.values()].some(({ reference }) => this.#parts.names.of(reference) === name),
    );
    if (untold.length > 0) {
      const shown = untold.slice(0, 8).join(', ');
      printed.push(
        `// a greater depth spells out ${shown}${untold.length > 8 ? ` and ${untold.length - 8} more` : ''}`,
      );
    }
    return printed;
  }

  #schema(schema: JsonSchema, at: At): string {
    return this.#shape(at.reader.shape(schema), at);
  }

  #shape(shape: Shape, at: At): string {
    switch (shape.kind) {
      case 'any':
        return this.#write('unknown');
      case 'never':
        return this.#write('never');
      case 'primitive':
        return this.#write(shape.name);
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
        return this.#intersection(shape.members, at);
    }
  }

  #literals(values: unknown[]): string {
    const shown = values
      .slice(0, this.#parts.style.values)
      .filter((value) => isShort(value, longestValue))
      .map((value) => literalText(value));
    const left = values.length - shown.length;
    if (left > 0) shown.push(`${widened(values)} /* ${left}${shown.length > 0 ? ' more' : ' values'} */`);
    return this.#write(shown.join(' | '));
  }

  #members(members: Shape[], between: string, at: At): string {
    const most = Math.max(4, this.#parts.style.values);
    const shown = members.slice(0, most).map((member) => {
      const text = this.#shape(member, at);
      return member.kind === 'union' || member.kind === 'intersection' ? `(${text})` : text;
    });
    const texts = [...new Set(shown)];
    const left = members.length - shown.length;
    return `${texts.join(between)}${left > 0 ? ` | unknown /* ${left} more */` : ''}`;
  }

  /** Groups of fields, of which one must be there, are said in a comment. */
  #intersection(members: Shape[], at: At): string {
    const groups = members.map(requirements);
    const rest = members.filter((_, place) => groups[place] === undefined);
    const text = rest.length > 0 ? this.#members(rest, ' & ', at) : 'object';
    const said = groups.flatMap((group) => (group ? [`needs ${group}`] : []));
    return said.length > 0 ? `${text} ${this.#write(`/* ${said.join('; ')} */`)}` : text;
  }

  #array({ prefix, least, items }: ArrayShape, at: At): string {
    if (prefix.length > 0) {
      const first = prefix.slice(0, 20).map((one, place) => {
        const text = this.#schema(one, at);
        return place < least ? text : `(${text})?`;
      });
      const rest = items === undefined ? [] : [`...${this.#element(items, at)}[]`];
      return `[${[...first, ...rest].join(', ')}]`;
    }
    return items === undefined ? '[]' : `${this.#element(items, at)}[]`;
  }

  #element(schema: JsonSchema, at: At): string {
    const text = this.#schema(schema, at);
    return /^([\w.$]+|\{[^{}]*\})(\[\])*$/.test(text) || isOneObject(at.reader.shape(schema), text)
      ? text
      : `(${text})`;
  }

  #reference(reference: Reference, at: At): string {
    const expanded = at.reader.expand(reference);
    const isOpen = this.#open.has(reference.key);
    if (!isOpen && !isNameable(expanded)) return this.#inline(reference, expanded, at);
    const name = this.#parts.names.of(reference);
    if (at.depth <= 0) {
      this.#untold.add(name);
      return this.#write(name);
    }
    if (!isOpen && !this.#shared().has(reference.key)) return this.#inline(reference, expanded, at);
    const known = this.#named.get(reference.key);
    if (known === undefined) this.#named.set(reference.key, { reference, at: { ...at, indent: '' } });
    else known.at.depth = Math.max(known.at.depth, at.depth);
    return this.#write(name);
  }

  #inline({ key }: Reference, expanded: Shape, at: At): string {
    this.#open.add(key);
    try {
      return this.#shape(expanded, at);
    } finally {
      this.#open.delete(key);
    }
  }

  #object(shape: ObjectShape, at: At): string {
    if (shape.fields.length === 0) return this.#map(shape, at);
    if (at.depth <= 0) return this.#write(outline(shape));
    const inner = { ...at, depth: at.depth - 1, indent: `${at.indent}  ` };
    const fields = at.direction === 'input' ? asGiven(shape.fields, at.reader) : shape.fields;
    const { told, left } = this.#chosen(fields, at);
    const lines = told.map((field) => this.#field(field, inner));
    if (shape.others !== undefined && shape.others !== true) {
      const free = shape.fields.length === 0 ? this.#schema(shape.others, inner) : 'unknown';
      lines.push({ text: `[key: string]: ${free};`, comment: undefined });
    }
    // Where none is told it must not read as an object without fields.
    const word = told.length > 0 ? 'and' : 'has';
    if (left.length > 0) lines.push({ text: '', comment: `${word} ${namesOf(telling(left))}` });
    return block(lines, at.indent);
  }

  #map({ others }: ObjectShape, at: At): string {
    if (others === undefined) return this.#write('{}');
    if (others === true) return this.#write('Record<string, unknown>');
    return `Record<string, ${this.#schema(others, at)}>`;
  }

  /** Those that are required come first, and are the last to be left out. */
  #chosen(fields: Field[], { direction }: At): { told: Field[]; left: Field[] } {
    const most = this.#parts.style.fields;
    const short = fields.filter(({ key }) => key.length <= longestKey);
    const required = short.filter((field) => field.required);
    const optional = short.filter((field) => !field.required);
    const isTold = new Set(
      direction === 'output'
        ? telling([...required, ...optional]).slice(0, most.output)
        : [...required.slice(0, most.required), ...optional.slice(0, most.optional)],
    );
    const told = [...required, ...optional].filter((field) => isTold.has(field));
    return { told, left: fields.filter((field) => !isTold.has(field)) };
  }

  #field({ key, required, schema }: Field, at: At): Line {
    const { comment } = this.#parts.style;
    const longest =
      at.direction === 'output' ? comment.output : required ? comment.required : comment.optional;
    const type = this.#schema(schema, at);
    return {
      text: `${this.#write(keyText(key))}${required ? '' : '?'}: ${type};`,
      comment: longest > 0 ? this.#comment(schema, at, longest) : undefined,
    };
  }

  #comment(schema: JsonSchema, { reader }: At, longest: number): string | undefined {
    const line = reader.line(schema);
    const words = line === undefined ? undefined : cutLine(line, longest);
    const facts = factsOf(schema, reader);
    const text = [...(words === undefined ? [] : [words]), ...facts].join('; ');
    return text === '' ? undefined : this.#write(text);
  }

  #write(text: string): string {
    this.#spend(text.length);
    return text;
  }

  /** What is written twice and told once is let pass: it only has to end what would become far too long. */
  #spend(chars: number): void {
    this.#chars += chars;
    if (this.#chars > this.#parts.maxChars * 1.3) throw tooLong;
  }
}

function asGiven(fields: Field[], reader: ShapeReader): Field[] {
  return fields.map((field) => ({ ...field, required: reader.mustBeGiven(field) }));
}

interface Line {
  text: string;
  comment: string | undefined;
}

/** On one line where it is short and nothing is said of it. */
function block(lines: Line[], indent: string): string {
  const inline = `{ ${lines.map(({ text }) => text.replace(/;$/, '')).join('; ')} }`;
  const isPlain = lines.every(({ text, comment }) => comment === undefined && !text.includes('\n'));
  if (isPlain && inline.length + indent.length <= widest) return inline;
  const inner = `${indent}  `;
  const printed = lines.map(({ text, comment }) => {
    if (comment === undefined) return `${inner}${text}`;
    if (text === '') return `${inner}// ${comment}`;
    return text.includes('\n') ? `${inner}// ${comment}\n${inner}${text}` : `${inner}${text} // ${comment}`;
  });
  return `{\n${printed.join('\n')}\n${indent}}`;
}

function isOneObject(shape: Shape, text: string): boolean {
  return shape.kind === 'object' && text.startsWith('{');
}

/** Whether a name for it says more than itself does. */
function isNameable(shape: Shape): boolean {
  if (shape.kind === 'object') return shape.fields.length > 0;
  if (shape.kind === 'literals') return shape.values.length > 6;
  return shape.kind === 'union' || shape.kind === 'intersection';
}

/** The names of its fields, where there is no room for more. */
function outline({ fields }: ObjectShape): string {
  const names = fields.map(({ key }) => key).filter((key) => isIdentifier(key) && key.length <= 30);
  const shown = names.slice(0, 4).join(', ');
  const left = fields.length - Math.min(names.length, 4);
  return shown === '' ? 'object' : `{ /* ${shown}${left > 0 ? `, +${left}` : ''} */ }`;
}

/** Of an answer, where not all fits: addresses of further answers come last. */
function telling(fields: Field[]): Field[] {
  const isAddress = ({ key }: Field) => key !== 'html_url' && /(url|href|link|node_id)s?$/i.test(key);
  return [...fields.filter((field) => !isAddress(field)), ...fields.filter(isAddress)];
}

function namesOf(fields: Field[]): string {
  const names = fields.map(({ key }) => key).filter((key) => isIdentifier(key) && key.length <= 30);
  const shown = names.slice(0, 12);
  const left = fields.length - shown.length;
  if (shown.length === 0) return `${left} more fields`;
  return left > 0 ? `${shown.join(', ')} and ${left} more` : shown.join(', ');
}

/** `a, or b and c`, where a choice says nothing but which fields there must be. */
function requirements(shape: Shape): string | undefined {
  const members = shape.kind === 'union' ? shape.members : [shape];
  const groups = members.map((member) => {
    if (member.kind !== 'object' || member.others !== true || member.fields.length === 0) return undefined;
    const isBare = member.fields.every(
      ({ key, required, schema }) => required && schema === true && isIdentifier(key),
    );
    return isBare ? member.fields.map(({ key }) => key).join(' and ') : undefined;
  });
  return groups.length <= 8 && groups.every((group) => group !== undefined)
    ? groups.join(', or ')
    : undefined;
}

/** What the type cannot say, in a word each. */
function factsOf(schema: JsonSchema, reader: ShapeReader): string[] {
  const of = (name: string) => reader.keyword(schema, name);
  const format = commentText(of('format'), 30);
  const byDefault = of('default');
  const [least, most] = [of('minimum'), of('maximum')];
  return [
    ...(format === undefined ? [] : [format]),
    ...(typeof least === 'number' && typeof most === 'number' ? [`${least} to ${most}`] : []),
    ...(isShown(byDefault) ? [`default ${literalText(byDefault)}`] : []),
    ...(of('deprecated') === true ? ['deprecated'] : []),
    ...(of('readOnly') === true ? ['read only'] : []),
    ...(of('writeOnly') === true ? ['write only'] : []),
  ];
}

function isShown(value: unknown): boolean {
  if (typeof value === 'string') return value.length <= 40;
  return typeof value === 'number' || typeof value === 'boolean';
}

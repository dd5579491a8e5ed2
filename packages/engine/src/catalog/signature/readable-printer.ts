import type { JsonSchema } from '../../ports/source.ts';
import { fieldLayout, fieldNames, type PrintedField } from './field-layout.ts';
import type { Field, ObjectShape, Reference, Shape } from './shape.ts';
import { type Direction, type Position, ShapePrinter } from './shape-printer.ts';
import type { ShapeReader } from './shape-reader.ts';
import { commentText, cutLine, isIdentifier, isShort, keyText, literalText, widened } from './source-text.ts';
import type { Style } from './style.ts';
import type { TypeNames } from './type-names.ts';

/** Thrown when the text exceeds its maximum length. */
export class TooLong extends Error {}
/** One instance for all: nobody reads its stack trace, and capturing one takes longer than printing. */
const tooLong = new TooLong();

interface Options {
  names: TypeNames;
  style: Style;
  maxChars: number;
  fields?: readonly string[] | undefined;
}

/** `depth` is the number of levels that may still be spelt out. */
interface IndentedPosition extends Position {
  indent: string;
}

interface NamedType {
  reference: Reference;
  position: IndentedPosition;
}

/** Longer names of fields are counted instead of printed. */
const maxKeyChars = 100;
const maxValueChars = 2_000;
const maxUnexpandedNames = 8;

/** Prints types for reading. It keeps what the style allows and names the types that are used twice. */
export class ReadablePrinter extends ShapePrinter<IndentedPosition> {
  protected override readonly maxTupleItems = 20;
  readonly #options: Options;
  /** Types with a declaration of their own, in the order of their first use. */
  readonly #named = new Map<string, NamedType>();
  /** Types that are only named, because the depth ends before them. */
  readonly #unexpanded = new Set<string>();
  readonly #shared: () => ReadonlySet<string>;
  /** References that are being spelt out. A use inside of itself can only be a name. */
  readonly #open = new Set<string>();
  #chars = 0;

  constructor(options: Options, shared: () => ReadonlySet<string>) {
    super();
    this.#options = options;
    this.#shared = shared;
  }

  print(reader: ShapeReader, direction: Direction): string {
    const depth = this.#options.style.depth[direction];
    return this.printSchema(reader.root, { reader, direction, depth, indent: '' });
  }

  /** Whether the input is an object without required fields. */
  isOptional(reader: ShapeReader): boolean {
    const shape = reader.expand(reader.shape(reader.root));
    return shape.kind === 'object' && !shape.fields.some((field) => reader.mustBeSent(field));
  }

  /** The declarations of the named types. Printing one may name others. */
  declarations(): string[] {
    const declarations: string[] = [];
    for (const { reference, position } of this.#named.values()) {
      const body = this.printShape(position.reader.expand(reference), position);
      declarations.push(`type ${this.#options.names.of(reference)} = ${body};`);
    }
    const named = new Set(
      [...this.#named.values()].map(({ reference }) => this.#options.names.of(reference)),
    );
    const unexpanded = [...this.#unexpanded].filter((name) => !named.has(name));
    if (unexpanded.length > 0) {
      const shown = unexpanded.slice(0, maxUnexpandedNames).join(', ');
      const more = unexpanded.length - maxUnexpandedNames;
      declarations.push(`// a greater depth spells out ${shown}${more > 0 ? ` and ${more} more` : ''}`);
    }
    return declarations;
  }

  protected override printKeyword(name: string): string {
    return this.#write(name === 'any' ? 'unknown' : name);
  }

  protected override printLiterals(values: unknown[]): string {
    const shown = values
      .slice(0, this.#options.style.values)
      .filter((value) => isShort(value, maxValueChars))
      .map((value) => literalText(value));
    const more = values.length - shown.length;
    if (more > 0) shown.push(`${widened(values)} /* ${more}${shown.length > 0 ? ' more' : ' values'} */`);
    return this.#write(shown.join(' | '));
  }

  protected override printMembers(
    members: Shape[],
    operator: ' | ' | ' & ',
    position: IndentedPosition,
  ): string {
    const shown = members.slice(0, Math.max(4, this.#options.style.values));
    const more = members.length - shown.length;
    const text = super.printMembers(shown, operator, position);
    return `${text}${more > 0 ? ` | unknown /* ${more} more */` : ''}`;
  }

  /** A member that only requires one of several groups of fields becomes a comment. */
  protected override printIntersection(members: Shape[], position: IndentedPosition): string {
    const groups = members.map(requiredGroups);
    const types = members.filter((_, index) => groups[index] === undefined);
    const text = types.length > 0 ? this.printMembers(types, ' & ', position) : 'object';
    const comments = groups.flatMap((group) => (group ? [`needs ${group}`] : []));
    return comments.length > 0 ? `${text} ${this.#write(`/* ${comments.join('; ')} */`)}` : text;
  }

  protected override groupItems(text: string, shape: Shape): string {
    const isSimple = /^([\w.$]+|\{[^{}]*\})(\[\])*$/.test(text);
    return isSimple || (shape.kind === 'object' && text.startsWith('{')) ? text : `(${text})`;
  }

  protected override groupMember(text: string, shape: Shape): string {
    return shape.kind === 'union' || shape.kind === 'intersection' ? `(${text})` : text;
  }

  protected override printReference(reference: Reference, position: IndentedPosition): string {
    const expanded = position.reader.expand(reference);
    const isOpen = this.#open.has(reference.key);
    if (!isOpen && !deservesName(expanded)) return this.#printInline(reference, expanded, position);
    const name = this.#options.names.of(reference);
    if (position.depth <= 0) {
      this.#unexpanded.add(name);
      return this.#write(name);
    }
    if (!isOpen && !this.#shared().has(reference.key))
      return this.#printInline(reference, expanded, position);
    const known = this.#named.get(reference.key);
    if (known === undefined)
      this.#named.set(reference.key, { reference, position: { ...position, indent: '' } });
    else known.position.depth = Math.max(known.position.depth, position.depth);
    return this.#write(name);
  }

  #printInline({ key }: Reference, expanded: Shape, position: IndentedPosition): string {
    this.#open.add(key);
    try {
      return this.printShape(expanded, position);
    } finally {
      this.#open.delete(key);
    }
  }

  protected override printObject(shape: ObjectShape, position: IndentedPosition): string {
    const all = fieldsFor(shape, position);
    if (shape.fields.length === 0) return this.#printRecord(shape, position);
    if (all.length === 0) return this.#write('{}');
    if (position.depth <= 0) return this.#write(outline(shape));
    const inner = { ...position, depth: position.depth - 1, indent: `${position.indent}  ` };
    const { shown, hidden } = this.#select(all, position);
    const fields = shown.map((field) =>
      this.#printField(field, this.#isWanted(field, position) ? { ...inner, depth: wantedDepth } : inner),
    );
    if (shape.others !== undefined && shape.others !== true)
      fields.push({ text: '[key: string]: unknown;', comment: undefined });
    // An object whose fields are all hidden must not look like an object without fields.
    const verb = shown.length > 0 ? 'and' : 'has';
    if (hidden.length > 0)
      fields.push({ text: '', comment: `${verb} ${fieldNames(informativeFirst(hidden))}` });
    return fieldLayout(fields, position.indent);
  }

  #printRecord({ others }: ObjectShape, position: IndentedPosition): string {
    if (others === undefined) return this.#write('{}');
    if (others === true) return this.#write('Record<string, unknown>');
    return `Record<string, ${this.printSchema(others, position)}>`;
  }

  /** Required fields are shown first and hidden last. */
  #select(fields: Field[], position: IndentedPosition): { shown: Field[]; hidden: Field[] } {
    const max = this.#options.style.fields;
    const printable = fields.filter(({ key }) => key.length <= maxKeyChars);
    const required = printable.filter((field) => field.required);
    const optional = printable.filter((field) => !field.required);
    const selected = new Set(
      position.direction === 'output'
        ? informativeFirst([...required, ...optional]).slice(0, max.output)
        : [
            ...printable.filter((field) => this.#isWanted(field, position)),
            ...required.slice(0, max.required),
            ...optional.slice(0, max.optional),
          ],
    );
    const shown = [...required, ...optional].filter((field) => selected.has(field));
    return { shown, hidden: fields.filter((field) => !selected.has(field)) };
  }

  /** Whether the caller asked for this field of the input. It is shown whatever else is left out. */
  #isWanted({ key }: Field, { direction, indent }: IndentedPosition): boolean {
    return direction === 'input' && indent === '' && (this.#options.fields?.includes(key) ?? false);
  }

  #printField({ key, required, schema }: Field, position: IndentedPosition): PrintedField {
    const { comment } = this.#options.style;
    const maxChars =
      position.direction === 'output' ? comment.output : required ? comment.required : comment.optional;
    const type = this.printSchema(schema, position);
    return {
      text: `${this.#write(keyText(key))}${required ? '' : '?'}: ${type};`,
      comment: maxChars > 0 ? this.#comment(schema, position, maxChars) : undefined,
    };
  }

  #comment(schema: JsonSchema, { reader }: IndentedPosition, maxChars: number): string | undefined {
    const line = reader.descriptionLine(schema);
    const words = line === undefined ? '' : cutLine(line, maxChars);
    const constraints = reader.once(schema, constraintsOf);
    const text = words === '' || constraints === '' ? `${words}${constraints}` : `${words}; ${constraints}`;
    return text === '' ? undefined : this.#write(text);
  }

  /**
   * Counts the characters, to stop early on text that is far too long. The count may include text that is dropped
   * later.
   */
  #write(text: string): string {
    this.#chars += text.length;
    if (this.#chars > this.#options.maxChars * 1.3) throw tooLong;
    return text;
  }
}

/** The server's instructions explain this field of every input, so that signatures need not. */
const explainedField = '$response';
/** Levels of a field that the caller asked for. */
const wantedDepth = 2;

/** In an input, a field with a usable default is optional. */
function fieldsFor({ fields: all }: ObjectShape, { direction, reader, indent }: IndentedPosition): Field[] {
  if (direction === 'output') return all;
  const fields = indent === '' ? all.filter(({ key }) => key !== explainedField) : all;
  return fields.map((field) => ({ ...field, required: reader.mustBeSent(field) }));
}

/** Whether a name for the shape is shorter to read than the shape itself. */
function deservesName(shape: Shape): boolean {
  if (shape.kind === 'object') return shape.fields.length > 0;
  if (shape.kind === 'literals') return shape.values.length > 6;
  return shape.kind === 'union' || shape.kind === 'intersection';
}

/** The names of an object's fields, for positions below the depth. */
function outline({ fields }: ObjectShape): string {
  const names = fields.map(({ key }) => key).filter((key) => isIdentifier(key) && key.length <= 30);
  const shown = names.slice(0, 4).join(', ');
  const more = fields.length - Math.min(names.length, 4);
  return shown === '' ? 'object' : `{ /* ${shown}${more > 0 ? `, +${more}` : ''} */ }`;
}

/** Sorts links to other responses behind all other fields: they are the first to be hidden. */
function informativeFirst(fields: Field[]): Field[] {
  const isLink = ({ key }: Field) => key !== 'html_url' && /(url|href|link|node_id)s?$/i.test(key);
  return [...fields.filter((field) => !isLink(field)), ...fields.filter(isLink)];
}

/** `a, or b and c` for a shape that only says which fields are required. */
function requiredGroups(shape: Shape): string | undefined {
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

/** Facts of a schema that its type cannot express. */
function constraintsOf(schema: JsonSchema, reader: ShapeReader): string {
  const keyword = (name: string) => reader.keyword(schema, name);
  const format = commentText(keyword('format'), 30);
  const defaultValue = keyword('default');
  const [min, max] = [keyword('minimum'), keyword('maximum')];
  return [
    ...(format === undefined ? [] : [format]),
    ...(typeof min === 'number' && typeof max === 'number' ? [`${min} to ${max}`] : []),
    ...(isPrinted(defaultValue) ? [`default ${literalText(defaultValue)}`] : []),
    ...(keyword('deprecated') === true ? ['deprecated'] : []),
    ...(keyword('readOnly') === true ? ['read only'] : []),
    ...(keyword('writeOnly') === true ? ['write only'] : []),
  ].join('; ');
}

function isPrinted(value: unknown): boolean {
  if (typeof value === 'string') return value.length <= 40;
  return typeof value === 'number' || typeof value === 'boolean';
}

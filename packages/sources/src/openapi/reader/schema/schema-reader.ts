import { createHash } from 'node:crypto';
import type { JsonSchema, ToolPacker } from '@executor/engine';
import { isObject, type JsonObject, own } from '../../../document/json.ts';
import type { Located } from '../../../document/json-pointer.ts';
import type { Warnings } from '../../../document/warnings.ts';
import { ClosureHashes } from '../../../schema/closure-hashes.ts';
import type { Converted, Definition, Direction } from '../../../schema/definition.ts';
import { withoutDescriptions } from '../../../schema/without-descriptions.ts';
import type { References } from '../document/references.ts';
import type { Dialect } from '../parse/recognise.ts';
import type { Conversion } from './conversion.ts';
import { convertSchema } from './convert-schema.ts';
import { DefinitionNames } from './definition-names.ts';
import { subschemas } from './subschemas.ts';

const maxDefinitions = 50_000;

/**
 * Converts the schemas of a document to JSON Schema (2020-12). A referenced schema becomes a definition, packed once, or twice if
 * requests and responses differ. The cost is linear in the document: every schema is converted once per direction, and references are
 * not followed by recursion.
 */
export class SchemaReader {
  readonly references: References;
  readonly warnings: Warnings;
  readonly dialect: Dialect;
  readonly #packer: ToolPacker;
  readonly #names = new DefinitionNames();
  /** Keyed by schema object: two references to one schema share a definition. */
  readonly #definitions = new Map<object, Definition>();
  readonly #converted = new Map<string, Converted>();
  readonly #hashes = new ClosureHashes(this.#converted);
  readonly #queue: { definition: Definition; direction: Direction; name: string }[] = [];
  readonly #queued = new Set<string>();

  constructor(options: { references: References; warnings: Warnings; dialect: Dialect; packer: ToolPacker }) {
    this.references = options.references;
    this.warnings = options.warnings;
    this.dialect = options.dialect;
    this.#packer = options.packer;
  }

  /** Reserves the components' names before other schemas are named. */
  reserve(components: Iterable<Located>): void {
    for (const { value, pointer } of components) if (isObject(value)) this.#define({ value, pointer });
  }

  read(schema: Located, direction: Direction): JsonSchema {
    const { result } = this.#convert(schema, direction);
    this.#convertQueue();
    return result;
  }

  /** Adds a definition that is not in the document. */
  builtIn(name: string, schema: JsonObject): JsonSchema {
    const known = this.#definitions.get(schema);
    if (known) return { $ref: `#/$defs/${known.name}` };
    const definition = { name: this.#names.addNamed(name), value: schema, pointer: undefined as never };
    this.#definitions.set(schema, definition);
    this.#pack(definition.name, schema, []);
    return { $ref: `#/$defs/${definition.name}` };
  }

  /** Hashes of the definitions that a converted schema references. */
  hashesOf(schema: JsonSchema): string[] {
    return referencedBy(schema).map((name) => this.#hashes.of(name));
  }

  /** The name of the definition for a referenced schema; undefined if the limit of definitions is reached. */
  #defineTarget(target: Located, direction: Direction): string | undefined {
    const definition = this.#define(target);
    if (definition === undefined) return undefined;
    const differs = direction === 'input' && this.#differs(definition);
    const name = differs ? this.#inputName(definition) : definition.name;
    if (!this.#queued.has(name)) {
      this.#queued.add(name);
      this.#queue.push({ definition, direction: differs ? 'input' : 'output', name });
    }
    return name;
  }

  #define({ value, pointer }: Located): Definition | undefined {
    const known = this.#definitions.get(value as object);
    if (known) return known;
    if (this.#definitions.size >= maxDefinitions) {
      this.warnings.add(
        pointer,
        `The document has more than ${maxDefinitions} definitions. Any value is allowed for the others.`,
      );
      return undefined;
    }
    const definition = { name: this.#names.add(pointer), value, pointer };
    this.#definitions.set(value as object, definition);
    return definition;
  }

  readonly #inputNames = new Map<Definition, string>();

  #inputName(definition: Definition): string {
    const known = this.#inputNames.get(definition);
    if (known !== undefined) return known;
    const name = this.#names.addNamed(`${definition.name}Input`);
    this.#inputNames.set(definition, name);
    return name;
  }

  #convertQueue(): void {
    for (let next = this.#queue.pop(); next; next = this.#queue.pop()) {
      const { result, conversion } = this.#convert(next.definition, next.direction);
      this.#pack(next.name, result, [...conversion.referenced]);
    }
  }

  #convert(schema: Located, direction: Direction): { result: JsonSchema; conversion: Conversion } {
    const conversion: Conversion = {
      direction,
      dialect: this.dialect,
      references: this.references,
      warnings: this.warnings,
      referenced: new Set(),
      nodes: 0,
      defineTarget: (target) => {
        const name = this.#defineTarget(target, direction);
        if (name !== undefined) conversion.referenced.add(name);
        return name;
      },
    };
    return { result: convertSchema(schema, conversion), conversion };
  }

  #pack(name: string, schema: JsonSchema, references: string[]): void {
    this.#packer.define(name, schema);
    const hash = createHash('sha256')
      .update(JSON.stringify(withoutDescriptions(schema)))
      .digest('base64url');
    this.#converted.set(name, { hash, references });
  }

  /**
   * Whether a definition, or any that it references, has parts for one direction only. All reachable definitions are decided together,
   * so cycles do not matter and each is visited once.
   */
  #differs(definition: Definition): boolean {
    if (definition.differs !== undefined) return definition.differs;
    const found = [definition];
    const reachedFrom = new Map<Definition, Definition[]>();
    const differing: Definition[] = [];
    definition.differs = false;
    for (const one of found) {
      const { flagged, targets } = this.#scan(one);
      if (flagged) differing.push(one);
      for (const target of targets) {
        if (target.differs === undefined) {
          target.differs = false;
          found.push(target);
        } else if (target.differs) differing.push(one);
        const from = reachedFrom.get(target);
        if (from) from.push(one);
        else reachedFrom.set(target, [one]);
      }
    }
    for (const one of differing) {
      if (one.differs) continue;
      one.differs = true;
      for (const other of reachedFrom.get(one) ?? []) differing.push(other);
    }
    return definition.differs;
  }

  #scan(definition: Definition): { flagged: boolean; targets: Definition[] } {
    const targets = new Set<Definition>();
    let flagged = false;
    const open = [definition.value as JsonObject];
    for (let schema = open.pop(); schema; schema = open.pop()) {
      if (own(schema, 'readOnly') === true || own(schema, 'writeOnly') === true) flagged = true;
      const reference = own(schema, '$ref') ?? own(schema, '$dynamicRef');
      const target =
        typeof reference === 'string' ? this.references.find(reference, definition.pointer) : undefined;
      const next = target && isObject(target.value) ? this.#define(target) : undefined;
      if (next) targets.add(next);
      for (const child of subschemas(schema)) open.push(child);
    }
    return { flagged, targets: [...targets] };
  }
}

function referencedBy(schema: JsonSchema): string[] {
  const names = new Set<string>();
  const open: unknown[] = [schema];
  for (let value = open.pop(); value !== undefined; value = open.pop()) {
    if (typeof value !== 'object' || value === null) continue;
    const reference = own(value, '$ref');
    if (typeof reference === 'string') names.add(reference.slice('#/$defs/'.length));
    for (const child of Object.values(value))
      if (typeof child === 'object' && child !== null) open.push(child);
  }
  return [...names].sort();
}

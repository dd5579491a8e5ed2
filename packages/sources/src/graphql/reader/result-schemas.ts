import type { JsonSchema, ToolPacker } from '@executor/engine';
import { isAbstractType, isInterfaceType, isObjectType } from 'graphql';
import { type JsonObject, setOwn } from '../../document/json.ts';
import type { SelectedField, Selection } from './default-selection.ts';
import type { TypeSchemas } from './type-schemas.ts';

/**
 * The JSON Schemas of results. Fields of the default selection are required; all other fields of the type are optional, because the caller
 * can select them. Each selection is packed once, as a definition with the name of its type.
 */
export class ResultSchemas {
  readonly #packer: ToolPacker;
  readonly #types: TypeSchemas;
  readonly #known = new Map<Selection, JsonSchema>();
  readonly #names = new Set<string>();

  constructor(packer: ToolPacker, types: TypeSchemas) {
    this.#packer = packer;
    this.#types = types;
  }

  of(selection: Selection): JsonSchema {
    const known = this.#known.get(selection);
    if (known) return known;
    const schema = this.#schema(selection);
    const name = this.#nameOf(selection);
    this.#packer.define(name, schema);
    const reference = { $ref: `#/$defs/${name}` };
    this.#known.set(selection, reference);
    return reference;
  }

  /** Types may not contain dots, so no type has the name of another selection. */
  #nameOf({ type }: Selection): string {
    let name = type.name;
    for (let count = 2; this.#names.has(name); count++) name = `${type.name}.${count}`;
    this.#names.add(name);
    return name;
  }

  #schema({ type, typename, fields, fragments }: Selection): JsonSchema {
    const properties: JsonObject = {};
    if (typename) properties.__typename = { type: 'string' };
    for (const selected of [...fields, ...fragments.flatMap((fragment) => fragment.fields)])
      setOwn(properties, selected.field.name, this.#field(selected));
    for (const field of isObjectType(type) || isInterfaceType(type) ? Object.values(type.getFields()) : [])
      if (!Object.hasOwn(properties, field.name))
        setOwn(properties, field.name, this.#types.describe(this.#types.output(field.type), field));
    const required = [...(typename ? ['__typename'] : []), ...fields.map(({ field }) => field.name)];
    return {
      type: 'object',
      properties,
      required,
      // Fragments can select any field of a possible type.
      ...(isAbstractType(type) && { additionalProperties: {} }),
    };
  }

  #field({ field, selection }: SelectedField): JsonSchema {
    return this.#types.describe(this.#types.output(field.type, selection && this.of(selection)), field);
  }
}

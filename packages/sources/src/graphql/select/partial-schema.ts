import type { Definitions } from '@executor/engine';
import {
  type GraphQLArgumentConfig,
  GraphQLEnumType,
  type GraphQLFieldConfig,
  GraphQLInputObjectType,
  type GraphQLInputType,
  GraphQLInterfaceType,
  GraphQLList,
  type GraphQLNamedType,
  GraphQLNonNull,
  GraphQLObjectType,
  type GraphQLOutputType,
  GraphQLScalarType,
  GraphQLSchema,
  type GraphQLType,
  GraphQLUnionType,
  isObjectType,
  Kind,
  parseType,
  type SelectionSetNode,
  specifiedScalarTypes,
  type TypeNode,
} from 'graphql';
import { RequestError } from '../../call/request-error.ts';
import { entryName, type FieldEntry, type TypeEntry } from '../type-entry.ts';

/** Each of these types is opened for the check, which takes time on the thread of the server. */
const maxPossible = 5_000;

/**
 * The part of a schema that a selection uses, so that the reference implementation can check the selection without the whole schema. Fields
 * that are not selected are there by name only, for suggestions.
 */
export class PartialSchema {
  readonly #definitions: Definitions;
  readonly #types = new Map<string, GraphQLNamedType>(specifiedScalarTypes.map((type) => [type.name, type]));
  /** The names of the fields that are selected from each type. */
  readonly #selected = new Map<string, Set<string>>();
  /** The interfaces and unions of each object type that was met. */
  readonly #possible = new Map<string, string[]>();
  /** The characters of the names in the longest list of fields, arguments, values or types. */
  longestList = 0;

  constructor(definitions: Definitions) {
    this.#definitions = definitions;
  }

  /** A schema whose query type has one field, `result`, of the named type. `input` is the input field, for messages. */
  build(typeName: string, selection: SelectionSetNode, input: string): GraphQLSchema {
    this.#collect(typeName, selection);
    const query = new GraphQLObjectType({
      name: 'Query__',
      fields: { result: { type: this.#named(typeName) as GraphQLOutputType } },
    });
    const possible = [...this.#possible.values()].flat();
    if (possible.length > maxPossible)
      throw new RequestError(
        `${input} uses interfaces and unions of more than ${maxPossible} types. Nothing was sent.`,
      );
    this.longestList = possible.join('').length;
    const members = possible.map((name) => this.#named(name));
    const conditions = [...this.#selected.keys()].map((name) => this.#named(name));
    return new GraphQLSchema({ query, types: [...members, ...conditions], assumeValid: true });
  }

  /** Notes the fields that the selection takes from each type. Fields and types that do not exist are found later. */
  #collect(typeName: string, { selections }: SelectionSetNode): void {
    const selected = this.#selected.get(typeName) ?? new Set<string>();
    this.#selected.set(typeName, selected);
    const entry = this.#entry(typeName);
    if (entry && 'possible' in entry && entry.possible) this.#possible.set(typeName, entry.possible);
    for (const node of selections) {
      if (node.kind === Kind.FRAGMENT_SPREAD) continue;
      if (node.kind === Kind.INLINE_FRAGMENT) {
        const on = node.typeCondition?.name.value ?? typeName;
        if (this.#entry(on)) this.#collect(on, node.selectionSet);
        continue;
      }
      selected.add(node.name.value);
      const type = fieldOf(entry, node.name.value)?.[1];
      if (type !== undefined && node.selectionSet) this.#collect(namedType(type), node.selectionSet);
    }
  }

  #entry(name: string): TypeEntry | undefined {
    return this.#definitions.get(entryName(name)) as TypeEntry | undefined;
  }

  #type(text: string): GraphQLType {
    return this.#fromNode(parseType(text, { noLocation: true }));
  }

  #fromNode(node: TypeNode): GraphQLType {
    if (node.kind === Kind.NAMED_TYPE) return this.#named(node.name.value);
    const inner = this.#fromNode(node.type);
    return node.kind === Kind.LIST_TYPE
      ? new GraphQLList(inner)
      : new GraphQLNonNull(inner as GraphQLNamedType);
  }

  #named(name: string): GraphQLNamedType {
    const known = this.#types.get(name);
    if (known) return known;
    const type = this.#make(name, this.#entry(name) ?? { kind: 'scalar' });
    this.#types.set(name, type);
    return type;
  }

  #make(name: string, entry: TypeEntry): GraphQLNamedType {
    switch (entry.kind) {
      case 'scalar':
        return new GraphQLScalarType({ name });
      case 'enum':
        return new GraphQLEnumType({ name, values: this.#byName(entry.values, (value) => [value, {}]) });
      case 'input':
        return new GraphQLInputObjectType({
          name,
          fields: () =>
            this.#byName(entry.fields, ([field, type]) => [
              field,
              { type: this.#type(type) as GraphQLInputType },
            ]),
          ...(entry.isOneOf && { isOneOf: true }),
        });
      case 'interface':
        return new GraphQLInterfaceType({ name, fields: () => this.#fields(name, entry.fields) });
      case 'object':
        return new GraphQLObjectType({
          name,
          fields: () => this.#fields(name, entry.fields),
          interfaces: () => this.#interfacesOf(name),
        });
      case 'union':
        return new GraphQLUnionType({
          name,
          types: () => (entry.possible ?? []).map((member) => this.#named(member)).filter(isObjectType),
        });
    }
  }

  #interfacesOf(name: string): GraphQLInterfaceType[] {
    const all = [...this.#possible].filter(([, possible]) => possible.includes(name));
    return all.map(([of]) => this.#named(of)).filter((type) => type instanceof GraphQLInterfaceType);
  }

  #fields(typeName: string, fields: FieldEntry[]): Record<string, GraphQLFieldConfig<unknown, unknown>> {
    const selected = this.#selected.get(typeName);
    return this.#byName(fields, ([name, type, args = []]) => {
      if (!selected?.has(name)) return [name, { type: unselected }];
      const config: GraphQLFieldConfig<unknown, unknown> = {
        type: this.#type(type) as GraphQLOutputType,
        args: this.#byName(args, ([argument, of]): [string, GraphQLArgumentConfig] => [
          argument,
          { type: this.#type(of) as GraphQLInputType },
        ]),
      };
      return [name, config];
    });
  }

  /** An object without a prototype, because a name may be `__proto__`. */
  #byName<Item, Value>(items: Item[], pairOf: (item: Item) => [string, Value]): Record<string, Value> {
    const all: Record<string, Value> = Object.create(null);
    let characters = 0;
    for (const item of items) {
      const [name, value] = pairOf(item);
      all[name] = value;
      characters += name.length;
    }
    this.longestList = Math.max(this.longestList, characters);
    return all;
  }
}

const unselected = new GraphQLScalarType({ name: 'Unselected__' });

function namedType(text: string): string {
  return text.replace(/[[\]!]/g, '');
}

export function fieldOf(entry: TypeEntry | undefined, name: string): FieldEntry | undefined {
  return entry && 'fields' in entry ? entry.fields.find(([field]) => field === name) : undefined;
}

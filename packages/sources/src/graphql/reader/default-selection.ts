import {
  type GraphQLAbstractType,
  type GraphQLField,
  type GraphQLInterfaceType,
  type GraphQLNamedType,
  type GraphQLObjectType,
  type GraphQLOutputType,
  type GraphQLSchema,
  getNamedType,
  getNullableType,
  isAbstractType,
  isInterfaceType,
  isLeafType,
  isListType,
  isObjectType,
  isRequiredArgument,
} from 'graphql';
import { type Connection, connectionOf } from './connection.ts';
import { rankLeaves, rankObjects, summaryLeaves } from './field-rank.ts';

type Field = GraphQLField<unknown, unknown>;

/** The fields that a call selects if its input does not choose them. */
export interface Selection {
  type: GraphQLNamedType;
  /** Whether `__typename` is selected: the result can have several types. */
  typename: boolean;
  fields: SelectedField[];
  /** Fields of the types that a union or an interface can have. */
  fragments: { on: GraphQLObjectType; fields: SelectedField[] }[];
}

export interface SelectedField {
  field: Field;
  /** Undefined for a scalar or an enum. */
  selection?: Selection;
}

/**
 * How much of a type is selected:
 * - `root`: all of it, and also what a payload or a connection wraps.
 * - `whole`: its scalars, and a summary of the objects in it.
 * - `item`: the same for an item of a list, without the lists in it.
 * - `summary`: the few scalars that identify it.
 *
 * Each level selects only lower ones below it, so a selection ends whatever cycles the types have.
 */
type Level = 'root' | 'whole' | 'item' | 'summary';

const maxLeaves = 20;
const maxObjects = 6;
const maxFragments = 8;
const maxLeavesOfFragment = 8;
/** A type with this few scalars wraps others: the payload of a mutation, for example. */
const maxLeavesOfWrapper = 3;

/** Selects fields by default: bounded, the same for each type, and without fields that need arguments or are deprecated. */
export class DefaultSelections {
  readonly #schema: GraphQLSchema;
  readonly #known = new Map<string, Selection | undefined>();

  constructor(schema: GraphQLSchema) {
    this.#schema = schema;
  }

  /** Undefined for a scalar or an enum. */
  of(type: GraphQLOutputType): Selection | undefined {
    const named = getNamedType(type);
    if (isLeafType(named)) return undefined;
    return this.#select(named, isList(type) ? 'item' : 'root');
  }

  #select(type: GraphQLNamedType, level: Level): Selection | undefined {
    const key = `${level} ${type.name}`;
    if (!this.#known.has(key)) this.#known.set(key, this.#compute(type, level));
    return this.#known.get(key);
  }

  #compute(type: GraphQLNamedType, level: Level): Selection | undefined {
    const connection = level === 'root' || level === 'whole' ? connectionOf(type) : undefined;
    const fields = connection
      ? this.#connectionFields(connection)
      : isObjectType(type) || isInterfaceType(type)
        ? this.#fieldsOf(type, level)
        : [];
    const fragments = isAbstractType(type) && level !== 'summary' ? this.#fragments(type, fields) : [];
    return { type, typename: isAbstractType(type) || fields.length === 0, fields, fragments };
  }

  #connectionFields({ plain, pageInfo, items, cursor }: Connection): SelectedField[] {
    const page = objectSelection(pageInfo.field, pageInfo.fields.map(leaf));
    const [outer, node] = items;
    const selection = this.#itemSelection((node ?? outer).type);
    const item: SelectedField = { field: node ?? outer, ...(selection && { selection }) };
    const list = node ? objectSelection(outer, [...(cursor ? [leaf(cursor)] : []), item]) : item;
    return [...plain.map(leaf), page, list];
  }

  #itemSelection(type: GraphQLOutputType): Selection | undefined {
    const named = getNamedType(type);
    return isLeafType(named) ? undefined : this.#select(named, 'item');
  }

  #fieldsOf(type: GraphQLObjectType | GraphQLInterfaceType, level: Level): SelectedField[] {
    const usable = Object.values(type.getFields()).filter(isUsable);
    const leaves = usable.filter(isLeaf);
    if (level === 'summary') return summaryLeaves(leaves).map(leaf);
    const isWrapper = level === 'root' && leaves.length <= maxLeavesOfWrapper;
    const inside: SelectedField[] = [];
    for (const field of rankObjects(usable.filter((one) => !isLeaf(one)))) {
      if (inside.length === maxObjects) break;
      const selection = this.#inner(field, isWrapper ? 'wrapped' : level);
      if (selection) inside.push({ field, selection });
    }
    return [...rankLeaves(leaves, maxLeaves).map(leaf), ...inside];
  }

  #inner(field: Field, level: Level | 'wrapped'): Selection | undefined {
    const named = getNamedType(field.type);
    const isPage = connectionOf(named) !== undefined;
    // Without its arguments, a page is as large as the server likes, and some servers reject it.
    if (field.args.length > 0 && (isList(field.type) || isPage)) return undefined;
    if (level === 'wrapped') return this.#select(named, isList(field.type) ? 'item' : 'whole');
    if (isPage || (level === 'item' && isList(field.type))) return undefined;
    const summary = this.#select(named, 'summary');
    return summary?.fields.length ? summary : undefined;
  }

  /** The scalars of the possible types. Fields with one name and different types cannot be selected together. */
  #fragments(type: GraphQLAbstractType, common: SelectedField[]): Selection['fragments'] {
    const types = this.#schema.getPossibleTypes(type);
    if (types.length > maxFragments && common.length > 0) return [];
    const isCommon = new Set(common.map(({ field }) => field.name));
    const taken = new Map<string, string>();
    return types.slice(0, maxFragments).flatMap((on) => {
      const leaves = Object.values(on.getFields()).filter((field) => isUsable(field) && isLeaf(field));
      const fields = rankLeaves(
        leaves.filter(({ name }) => !isCommon.has(name)),
        maxLeavesOfFragment,
      ).filter(({ name, type: own }) => (taken.get(name) ?? String(own)) === String(own));
      for (const field of fields) taken.set(field.name, String(field.type));
      return fields.length === 0 ? [] : [{ on, fields: fields.map(leaf) }];
    });
  }
}

function leaf(field: Field): SelectedField {
  return { field };
}

function objectSelection(field: Field, fields: SelectedField[]): SelectedField {
  return { field, selection: { type: getNamedType(field.type), typename: false, fields, fragments: [] } };
}

/** `clientMutationId` only repeats what the caller sent. */
function isUsable({ name, deprecationReason, args }: Field): boolean {
  return deprecationReason == null && name !== 'clientMutationId' && !args.some(isRequiredArgument);
}

function isLeaf({ type }: Field): boolean {
  return isLeafType(getNamedType(type));
}

function isList(type: GraphQLOutputType): boolean {
  return isListType(getNullableType(type));
}

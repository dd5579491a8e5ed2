import {
  type GraphQLField,
  type GraphQLNamedType,
  type GraphQLSchema,
  isAbstractType,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isObjectType,
  isScalarType,
} from 'graphql';
import type { FieldEntry, TypeEntry } from '../type-entry.ts';

/** What the server needs of each type in order to check a selection. */
export function* typeEntries(schema: GraphQLSchema): Generator<[name: string, entry: TypeEntry]> {
  for (const type of Object.values(schema.getTypeMap()))
    if (!type.name.startsWith('__')) yield [type.name, entryOf(type, schema)];
}

function entryOf(type: GraphQLNamedType, schema: GraphQLSchema): TypeEntry {
  if (isScalarType(type)) return { kind: 'scalar' };
  if (isEnumType(type)) return { kind: 'enum', values: type.getValues().map(({ name }) => name) };
  if (isInputObjectType(type)) {
    const fields = Object.values(type.getFields()).map(inputEntry);
    return { kind: 'input', fields, ...(type.isOneOf && { isOneOf: true }) };
  }
  return {
    kind: isObjectType(type) ? 'object' : isInterfaceType(type) ? 'interface' : 'union',
    fields:
      isObjectType(type) || isInterfaceType(type) ? Object.values(type.getFields()).map(fieldEntry) : [],
    ...(isAbstractType(type) && { possible: schema.getPossibleTypes(type).map(({ name }) => name) }),
  };
}

function fieldEntry({ name, type, args }: GraphQLField<unknown, unknown>): FieldEntry {
  return args.length === 0 ? [name, String(type)] : [name, String(type), args.map(inputEntry)];
}

/** An input with a default need not be sent. */
function inputEntry({
  name,
  type,
  defaultValue,
}: {
  name: string;
  type: unknown;
  defaultValue?: unknown;
}): FieldEntry {
  const text = String(type);
  return [name, defaultValue === undefined ? text : text.replace(/!$/, '')];
}

/** A field or an argument: its name, its type such as `[User!]`, and its arguments. */
export type FieldEntry = [name: string, type: string, args?: FieldEntry[]];

/** A type of a GraphQL schema, as far as it is needed to check a selection. */
export type TypeEntry =
  | { kind: 'scalar' }
  | { kind: 'enum'; values: string[] }
  | { kind: 'input'; fields: FieldEntry[]; isOneOf?: true }
  /** `possible`: the object types that an interface or a union can be. */
  | { kind: 'object' | 'interface' | 'union'; fields: FieldEntry[]; possible?: string[] };

/** The definition of a tool pack that has the entry of a type. No type can have this name itself. */
export function entryName(type: string): string {
  return `graphql:${type}`;
}

import type { GraphQLField, GraphQLSchema } from 'graphql';

export interface RootField {
  operation: 'query' | 'mutation';
  field: GraphQLField<unknown, unknown>;
}

/** Fields for the gateway of a federated graph, and not for callers. */
const federation = new Set(['_entities', '_service']);

export function rootFields(schema: GraphQLSchema): RootField[] {
  const fieldsOf = (operation: RootField['operation'], type = schema.getQueryType()) =>
    Object.values(type?.getFields() ?? {}).map((field): RootField => ({ operation, field }));
  const mutations = schema.getMutationType();
  return [...fieldsOf('query'), ...(mutations ? fieldsOf('mutation', mutations) : [])].filter(
    ({ field }) => !federation.has(field.name),
  );
}

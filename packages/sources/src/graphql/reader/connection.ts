import {
  type GraphQLField,
  type GraphQLNamedType,
  getNamedType,
  getNullableType,
  isLeafType,
  isListType,
  isObjectType,
} from 'graphql';

type Field = GraphQLField<unknown, unknown>;

/** A page of a list, as Relay specifies it: `nodes` or `edges { node }`, beside `pageInfo`. */
export interface Connection {
  /** Its scalars, such as the number of all items. */
  plain: Field[];
  pageInfo: { field: Field; fields: Field[] };
  /** The fields that lead to an item: `nodes`, or `edges` and `node`. */
  items: [list: Field, node?: Field];
  /** The cursor of an edge. */
  cursor?: Field;
}

const maxPlain = 6;
const pageFields = ['hasNextPage', 'endCursor', 'hasPreviousPage', 'startCursor'];

/** Undefined if the type is not a connection. */
export function connectionOf(type: GraphQLNamedType): Connection | undefined {
  if (!isObjectType(type)) return undefined;
  const fields = type.getFields();
  const { pageInfo, nodes, edges } = fields;
  const info = pageInfo && getNamedType(pageInfo.type);
  if (pageInfo === undefined || !isObjectType(info)) return undefined;
  const infoFields = info.getFields();
  const page = {
    field: pageInfo,
    fields: pageFields.flatMap((name) => (isPlain(infoFields[name]) ? [infoFields[name]] : [])),
  };
  if (page.fields.length === 0) return undefined;
  const plain = Object.values(fields).filter(isPlain).slice(0, maxPlain);
  if (isListField(nodes)) return { plain, pageInfo: page, items: [nodes] };
  const edge = isListField(edges) ? getNamedType(edges.type) : undefined;
  if (edges === undefined || !isObjectType(edge)) return undefined;
  const { node, cursor } = edge.getFields();
  if (node === undefined || node.args.length > 0) return undefined;
  return { plain, pageInfo: page, items: [edges, node], ...(isPlain(cursor) && { cursor }) };
}

function isPlain(field: Field | undefined): field is Field {
  if (field === undefined || field.args.length > 0 || field.deprecationReason != null) return false;
  return isLeafType(getNamedType(field.type));
}

function isListField(field: Field | undefined): field is Field {
  return field !== undefined && field.args.length === 0 && isListType(getNullableType(field.type));
}

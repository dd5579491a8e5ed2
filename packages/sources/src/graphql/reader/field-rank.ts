import { type GraphQLField, getNamedType, getNullableType, isListType, isNonNullType } from 'graphql';

type Field = GraphQLField<unknown, unknown>;

/** Names of the fields by which people and programs recognise a thing, best first. */
const identifying = [
  ...['id', 'name', 'title', 'fullName', 'displayName', 'nameWithOwner', 'number', 'key', 'code', 'slug'],
  ...['login', 'username', 'handle', 'email', 'url', 'state', 'status', 'type', 'kind', 'value', 'message'],
];
const descriptive = [
  ...[
    'description',
    'body',
    'text',
    'content',
    'createdAt',
    'updatedAt',
    'closed',
    'closedAt',
    'merged',
    'draft',
  ],
  ...[
    'isDraft',
    'archived',
    'isArchived',
    'private',
    'isPrivate',
    'visibility',
    'isFork',
    'active',
    'enabled',
  ],
];
const order = new Map([...identifying, ...descriptive].map((name, index) => [name, index]));
/** Names of objects that say whose a thing is, or what it belongs to. */
const owners =
  /^(owner|author|user|creator|createdBy|assignee|customer|account|organization|team|project|parent|repository|category|errors|userErrors)$/;
/** Second forms of other fields, and facts about the viewer. They are selected last. */
const secondary =
  /(HTML|Html|Text|ResourcePath|ResourceURL|^resourcePath|^resourceUrl)$|^(viewer|databaseId|fullDatabaseId)/;
const maxSummary = 5;

/** The scalars to select if not all of them are: those that identify and describe come first. */
export function rankLeaves(leaves: Field[], max: number): Field[] {
  return leaves.length <= max ? leaves : sorted(leaves, rankOfLeaf).slice(0, max);
}

/** The few scalars that identify an object. */
export function summaryLeaves(leaves: Field[]): Field[] {
  const plain = leaves.filter(({ type }) => !isListType(getNullableType(type)));
  const known = sorted(plain, rankOfLeaf).filter(({ name }) => identifying.includes(name));
  if (known.some(({ name }) => name !== 'id')) return known.slice(0, maxSummary);
  return sorted(plain, rankOfLeaf).slice(0, maxSummary);
}

/** Objects in the order in which they are selected. */
export function rankObjects(fields: Field[]): Field[] {
  return sorted(fields, ({ name, type }) => (owners.test(name) ? 0 : isNonNullType(type) ? 1 : 2));
}

function rankOfLeaf({ name, type }: Field): number {
  const known = order.get(name);
  if (known !== undefined) return known;
  const named = getNamedType(type).name;
  if (secondary.test(name) || named === 'HTML') return order.size + 3;
  if (named === 'Boolean') return order.size + 2;
  return order.size + (name.endsWith('Count') ? 0 : 1);
}

/** Fields of one rank keep the order of the schema. */
function sorted(fields: Field[], rankOf: (field: Field) => number): Field[] {
  return fields
    .map((field, index) => ({ field, index, rank: rankOf(field) }))
    .sort((a, b) => a.rank - b.rank || a.index - b.index)
    .map(({ field }) => field);
}

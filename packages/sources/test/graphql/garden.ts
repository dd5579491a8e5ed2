import { createSchema, createYoga } from 'graphql-yoga';
import { type LocalServer, startLocalServer } from '../local-server.ts';

/** A schema with everything that is hard: cycles, unions, interfaces, a connection, `@oneOf`, deprecations and a subscription. */
export const gardenSdl = /* GraphQL */ `
  scalar DateTime
  scalar JSON

  interface Node { id: ID! }
  enum Color { RED GREEN BLUE @deprecated(reason: "Use GREEN.") }

  type Plant implements Node {
    id: ID!
    name: String!
    color: Color
    planted: DateTime
    notes: JSON
    oldName: String @deprecated(reason: "Use name.")
    gardener: Gardener
    neighbours: [Plant!]!
    parent: Plant
    seeds(count: Int!): [String!]!
    height(unit: String = "cm"): Float
    secret(really: Boolean!): String
  }
  type Gardener implements Node {
    id: ID!
    name: String!
    plants: [Plant!]!
    friends: [Gardener!]!
  }
  type Tool implements Node { id: ID! label: String!, color: String }
  union Thing = Plant | Gardener | Tool

  type PageInfo { hasNextPage: Boolean! endCursor: String }
  type PlantEdge { cursor: String! node: Plant }
  type PlantConnection { edges: [PlantEdge] nodes: [Plant] pageInfo: PageInfo! totalCount: Int! }

  input Size { width: Int!, height: Int = 3, inner: Size }
  input Key @oneOf { id: ID, name: String }
  input NewPlant { name: String!, color: Color, size: Size, when: DateTime, extra: JSON }
  type PlantPayload { plant: Plant, clientMutationId: String }

  type Query {
    "Finds a plant."
    plant(key: Key!): Plant
    plants(first: Int, last: Int, after: String): PlantConnection!
    things(kind: String): [Thing!]!
    node(id: ID!): Node
    count: Int!
    broken: Plant
    fails: Plant!
    slow: String
    choose(select: String!): Plant
    old: String @deprecated(reason: "Use count.")
  }
  type Mutation {
    addPlant(input: NewPlant!): PlantPayload
    deletePlant(id: ID!): Boolean!
    searchPlants(text: String!): [Plant!]!
  }
  type Subscription { grown: Plant! }
`;

const plants = Array.from({ length: 50 }, (_, index) => plant(index));

function plant(index: number) {
  return {
    __typename: 'Plant',
    id: `p${index}`,
    name: `Plant ${index}`,
    color: 'GREEN',
    planted: '2026-01-01T00:00:00Z',
    notes: { deep: [1, { a: null }] },
    gardener: () => gardener,
    neighbours: () => [plants[(index + 1) % plants.length]],
    parent: () => plants[index - 1],
    seeds: ({ count }: { count: number }) => Array.from({ length: count }, (_, at) => `seed ${at}`),
    height: ({ unit }: { unit: string }) => (unit === 'cm' ? 120 : 1.2),
    secret() {
      throw new Error('You may not see this');
    },
  };
}

const gardener = {
  __typename: 'Gardener',
  id: 'g1',
  name: 'Ada',
  plants: () => plants.slice(0, 2),
  friends: () => [gardener],
};
const tool = { __typename: 'Tool', id: 't1', label: 'Spade', color: 'grey' };

const resolvers = {
  Thing: { __resolveType: ({ __typename }: { __typename: string }) => __typename },
  Node: { __resolveType: ({ __typename }: { __typename: string }) => __typename },
  Query: {
    plant: (_: unknown, { key }: { key: { id?: string; name?: string } }) =>
      plants.find(({ id, name }) => id === key.id || name === key.name) ?? null,
    plants: (_: unknown, { first, last, after }: { first?: number; last?: number; after?: string }) =>
      page(first, last, after),
    things: () => [plants[0], gardener, tool],
    node: () => plants[0],
    count: () => plants.length,
    broken: () => ({ ...plants[0], gardener: () => Promise.reject(new Error('The gardener is away')) }),
    fails: () => {
      throw new Error('Nothing grows here');
    },
    slow: () => new Promise(() => {}),
    choose: (_: unknown, { select }: { select: string }) => ({ ...plants[0], name: select }),
  },
  Mutation: {
    addPlant: (_: unknown, { input }: { input: { name: string; color?: string; extra?: unknown } }) => ({
      plant: { ...plants[0], ...input, notes: input.extra ?? null },
    }),
    deletePlant: () => true,
    searchPlants: () => plants.slice(0, 1),
  },
};

/** As GitHub does, a page without a size is rejected. */
function page(first: number | undefined, last: number | undefined, after: string | undefined) {
  if (first === undefined && last === undefined) throw new Error('Pass `first` or `last`.');
  const start = after === undefined ? 0 : Number(after) + 1;
  const nodes = first === undefined ? plants.slice(-(last ?? 0)) : plants.slice(start, start + first);
  const end = start + nodes.length - 1;
  return {
    nodes,
    edges: nodes.map((node, index) => ({ cursor: String(start + index), node })),
    pageInfo: { hasNextPage: end < plants.length - 1, endCursor: String(end) },
    totalCount: plants.length,
  };
}

interface Sent {
  query: string;
  variables: Record<string, unknown>;
  headers: Record<string, unknown>;
}

/** The schema on a real GraphQL server. `requests` has what it received, without introspections. */
export async function startGarden(): Promise<LocalServer & { endpoint: string; requests: Sent[] }> {
  const requests: Sent[] = [];
  const yoga = createYoga({
    schema: createSchema({ typeDefs: gardenSdl, resolvers }),
    logging: false,
    maskedErrors: false,
    plugins: [
      {
        onParams({ params, request }) {
          if (params.query?.includes('__schema') !== false) return;
          const headers = Object.fromEntries(request.headers as unknown as Iterable<[string, string]>);
          requests.push({ query: params.query, variables: params.variables ?? {}, headers });
        },
      },
    ],
  });
  const server = await startLocalServer((request, response) => yoga(request, response));
  return { ...server, endpoint: `${server.url}/graphql`, requests };
}

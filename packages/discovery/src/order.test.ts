import type { JsonSchema, SearchedSource, SearchOutcome, Tool } from '@executor/engine';
import { expect, test } from 'vitest';
import { search, sourceOf, tool } from '../test/searched-tools.ts';

/** Definitions in a ring: each refers to the next one. */
const ring: Record<string, JsonSchema> = Object.fromEntries(
  ['author', 'book', 'shelf', 'library'].map((name, index, names) => [
    name,
    {
      type: 'object',
      properties: {
        next: { $ref: `#/$defs/${names[(index + 1) % names.length]}` },
        [`${name}Nickname`]: { type: 'string' },
        others: { type: 'array', items: { $ref: `#/$defs/${names[(index + 2) % names.length]}` } },
      },
    },
  ]),
);
const definitions = { get: (name: string) => ring[name], tracksEvaluated: false };
const catalog: Record<string, Tool[]> = {
  desk: [
    tool('GET /issues', 'issues.list', 'List issues', [], 'desk'),
    tool('GET /issues/{id}', 'issues.get', 'Get an issue', ['id'], 'desk'),
    tool('GET /issues/{key}', 'issues.byKey', 'Get an issue', ['key'], 'desk'),
    tool('DELETE /issues/{id}/comments/{id}', 'comments.delete', 'Delete a comment', ['id'], 'desk'),
    tool('GET /issues/{id}/comments', 'comments.list', 'List comments', ['id'], 'desk'),
  ],
  shop: [
    tool('GET /orders', 'orders.list', 'List orders'),
    tool('GET /orders/search', 'orders.search', 'Search orders'),
    tool('DELETE /orders/{order_id}', 'orders.delete', 'Delete an order', ['order_id']),
    tool('GET /products', 'products.list', 'List products'),
  ],
  books: Object.keys(ring).map((name) => ({
    ...tool(`POST /${name}`, `${name}.save`, 'Save', [], 'books'),
    inputSchema: { type: 'object', properties: { item: { $ref: `#/$defs/${name}` } } },
    outputSchema: { $ref: `#/$defs/${name}` },
    definitions,
  })),
};
const queries = [
  'orders',
  'delete an order',
  'list issues and products',
  'get',
  'lsit comments',
  'authorNickname',
  'nickname of the library',
  'remove a comment of an issue',
  'save a book, then delete "it" from the shop',
];

test('the order of tools and sources does not change the results', () => {
  const expected = answers(Object.entries(catalog));
  for (let seed = 1; seed <= 25; seed++)
    expect(answers(shuffled(Object.entries(catalog), seed), seed)).toEqual(expected);
});

/** A search gets its sources sorted by namespace. Their tools may be in any order. */
function answers(entries: [string, Tool[]][], seed = 0): SearchOutcome[] {
  const made = entries.map(
    ([name, tools]): SearchedSource => sourceOf(name, seed === 0 ? tools : shuffled(tools, seed)),
  );
  const sources = made.sort((one, other) => (one.namespace < other.namespace ? -1 : 1));
  return queries.map((query) => search(sources, query, { limit: 10, explain: true }));
}

function shuffled<T>(list: readonly T[], seed: number): T[] {
  let state = seed;
  const left = [...list];
  return list.map(() => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    return left.splice(state % left.length, 1)[0] as T;
  });
}

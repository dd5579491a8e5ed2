import { describe, expect, test } from 'vitest';
import { sourceOf, tool } from '../../../test/searched-tools.ts';
import type { Tool } from '../../ports/source.ts';
import { search } from './search.ts';

const shop = [
  tool('GET /me', 'users.me', 'Get the current user'),
  tool('GET /orders', 'orders.list', 'List orders'),
  tool('POST /orders', 'orders.create', 'Create an order'),
  tool('GET /orders/{order_id}', 'orders.get', 'Get an order', ['order_id']),
  tool('DELETE /orders/{order_id}', 'orders.delete', 'Delete an order', ['order_id']),
  tool('POST /orders/{order_id}/refunds', 'refunds.create', 'Refund an order', ['order_id']),
  tool('GET /products/search', 'products.search', 'Search for products'),
  tool('PATCH /products/{product_id}', 'products.update', 'Update a product', ['product_id']),
  tool('GET /webhooks', 'webhooks.list', 'List webhooks'),
  tool('GET /weather', 'weather.get', '查询城市的天气预报'),
];
const sources = [sourceOf('shop', shop)];
const hub = [
  sourceOf('hub', [
    tool('PUT /starred/{repo}', 'repos.star', 'Star a repository', ['repo'], 'hub'),
    tool('POST /forks', 'repos.fork', 'Create a fork', ['repo'], 'hub'),
    tool('GET /repos', 'repos.list', 'List repositories', [], 'hub'),
    tool('POST /labels', 'labels.create', 'Create a label', [], 'hub'),
    tool('DELETE /labels/{id}', 'labels.delete', 'Delete a label', ['id'], 'hub'),
    tool('POST /milestones', 'milestones.create', 'Create a milestone', [], 'hub'),
    tool('GET /pulls', 'pulls.list', 'List pull requests', [], 'hub'),
    tool('PUT /pulls/{number}/merge', 'pulls.merge', 'Merge a pull request', ['number'], 'hub'),
    tool('GET /fork-pr', 'forks.prSettings', 'Get settings of fork PR contributors', [], 'hub'),
    tool('POST /workflows/{id}/runs', 'workflows.run', 'Run a workflow', ['id'], 'hub'),
    tool('DELETE /workflows/{id}', 'workflows.delete', 'Delete a workflow', ['id'], 'hub'),
    tool('GET /octocat', 'meta.octocat', 'Get Octocat', [], 'hub'),
  ]),
];

describe('a request', () => {
  test.each([
    ['delete an order', 'shop.orders.delete'],
    ['remove orders', 'shop.orders.delete'],
    ['I would like to cancel, that is, get rid of one of my orders please', 'shop.orders.delete'],
    ['show all orders', 'shop.orders.list'],
    ['make a new order', 'shop.orders.create'],
    ['change a product', 'shop.products.update'],
    ['give the money of a purchase back: refund it', 'shop.refunds.create'],
    ['web hooks', 'shop.webhooks.list'],
    ['serch produtcs', 'shop.products.search'],
    ['who am I', 'shop.users.me'],
    ['天气预报', 'shop.weather.get'],
  ])('finds its tool: %s', (query, path) => {
    expect(pathsFor(query)[0]).toBe(path);
  });

  test('that wants several things gets all of them', () => {
    const found = pathsFor('Search for a product, then create an order, and list the webhooks').slice(0, 4);
    expect(found).toEqual(
      expect.arrayContaining(['shop.products.search', 'shop.orders.create', 'shop.webhooks.list']),
    );
  });

  test.each([
    ['star and fork the repo', ['hub.repos.star', 'hub.repos.fork']],
    ['create a label and a milestone', ['hub.labels.create', 'hub.milestones.create']],
    ['merge a PR & delete its label', ['hub.pulls.merge', 'hub.labels.delete']],
  ])('that says once what it says of both means both: %s', (query, paths) => {
    expect(search(hub, query, { limit: 4 }).found.map(({ path }) => path)).toEqual(
      expect.arrayContaining(paths),
    );
  });

  test.each([
    ['kick off the deploy workflow', 'hub.workflows.run'],
    ['show PRs', 'hub.pulls.list'],
    ['squash and merge PR 42 in octocat/hello-world', 'hub.pulls.merge'],
    ['read/write access of octocat', 'hub.meta.octocat'],
  ])('is understood: %s', (query, path) => {
    expect(search(hub, query, { limit: 1 }).found[0]?.path).toBe(path);
  });

  test('for a tool that must be told of something also finds what knows it', () => {
    const { found } = search(sources, 'refund', { limit: 5 });
    expect(found[0]?.path).toBe('shop.refunds.create');
    expect(found.find(({ path }) => path === 'shop.orders.list')?.provides).toEqual({
      resource: 'order',
      to: 'shop.refunds.create',
    });
  });

  test('finds tools whose parameters have the names of what every object has', () => {
    const races = [
      sourceOf('races', [
        tool(
          'GET /c/{constructor}',
          'teams.get',
          'Get a team',
          ['constructor', 'toString', '__proto__'],
          'races',
        ),
      ]),
    ];
    expect(search(races, 'get a team', { limit: 1 }).found[0]?.path).toBe('races.teams.get');
  });

  test('that ends with a file is about that file, not about a folder', () => {
    const files = [
      sourceOf('files', [
        tool('POST /folders', 'directory.create', 'Create a directory', [], 'files'),
        tool('POST /files', 'file.write', 'Write a file', [], 'files'),
      ]),
    ];
    for (const end of ['', '.', '...'])
      expect(search(files, `Save the list to /home/ada/orders.md${end}`, { limit: 2 }).found[0]?.path).toBe(
        'files.file.write',
      );
  });

  test('is answered in part where only padding is missing', () => {
    expect(pathsFor("find today's latest related webhooks")[0]).toBe('shop.webhooks.list');
  });

  test('that nothing fits is told so, with the words that nobody knows', () => {
    expect(search(sources, 'knit a sweater', { limit: 5 })).toMatchObject({
      found: [],
      total: 0,
      unknown: ['knit', 'sweater'],
    });
  });

  test('that refers to what it said before means that', () => {
    const { found } = search(hub, 'open a pull request, then merge it', { limit: 2, explain: true });
    expect(found.find(({ path }) => path === 'hub.pulls.merge')?.why?.need).toBe('pull request merge');
  });

  test('that asks to be told something wants nothing changed', () => {
    const [first] = search(hub, 'show me the label', { limit: 3, explain: true }).found;
    expect(first?.why?.signs).not.toContain('unasked');
    const created = search(hub, 'show me the milestone', { limit: 3, explain: true }).found;
    expect(created.find(({ path }) => path === 'hub.milestones.create')?.why?.signs).toContain('conflict');
  });

  test('is explained', () => {
    const [first] = search(sources, 'remove order', { limit: 1, explain: true }).found;
    expect(first?.why?.words).toEqual([
      { word: 'remove', as: 'delet', via: 'verb', in: ['name', 'summary'], worth: expect.any(Number) },
      {
        word: 'order',
        as: 'order',
        via: 'itself',
        in: expect.arrayContaining(['group', 'summary']),
        worth: expect.any(Number),
      },
    ]);
    expect(first?.why).toMatchObject({ missing: [], signs: ['agree'] });
  });

  test('is explained by the part of the request that it is for, and by what it has not', () => {
    const { found } = search(sources, 'refund an order and update the purple product', {
      limit: 6,
      explain: true,
    });
    const refund = found.find(({ path }) => path === 'shop.refunds.create');
    expect(refund?.why?.need).toBe('refund order');
    const updated = found.find(({ path }) => path === 'shop.products.update');
    expect(updated?.why).toMatchObject({ need: 'update product', missing: ['purple'] });
  });

  test('never finds what may not be seen, not even as what another tool needs', () => {
    const isVisible = (_: number, path: string) => path.startsWith('shop.refunds');
    expect(search(sources, 'refund an order', { limit: 5, isVisible }).found.map(({ path }) => path)).toEqual(
      ['shop.refunds.create'],
    );
  });

  test('that names a source means its tools', () => {
    const two = [
      ...sources,
      sourceOf('depot', [tool('GET /orders', 'orders.list', 'List orders', [], 'depot')]),
    ];
    const found = search(two, 'orders in depot', { limit: 3 }).found;
    expect(found[0]?.path).toBe('depot.orders.list');
  });
});

test('hostile text does no harm, and takes no time', () => {
  const hostile = [
    '',
    ' \n\t',
    '\u0000\u0001\u001b[31m',
    '(a+)+$ [[[ ]]] \\ .* ^',
    '😀👩‍👩‍👧 🇩🇪',
    '\ud800 lone',
    '__proto__ constructor toString hasOwnProperty',
    'order '.repeat(20_000),
    'a'.repeat(100_000),
    `${"'".repeat(10_000)}order${'"'.repeat(10_000)}`,
    Array.from({ length: 3_000 }, (_, place) => `word${place},`).join(' and '),
    '/a'.repeat(5_000),
    `/${'.'.repeat(8_000)}`,
    '/.a.'.repeat(2_000),
    `${'save '.repeat(2_000)}to /x.md `.repeat(3),
    '订'.repeat(10_000),
  ];
  const before = process.cpuUsage();
  for (const query of hostile)
    expect(search(sources, query, { limit: 10 }).found.length).toBeLessThanOrEqual(10);
  // Some hundred times what it takes.
  expect(process.cpuUsage(before).user / 1000).toBeLessThan(5_000);
});

test('an index says the same of a tool whatever strange schemas it has', () => {
  const circular = { type: 'object', properties: { next: { $ref: '#/$defs/node' } } };
  const definitions = { get: () => circular, tracksEvaluated: false };
  const strange: Tool = {
    ...tool('GET /x', 'nodes.get', 'Get a node'),
    inputSchema: { $ref: '#/$defs/node' },
    outputSchema: { items: { allOf: [true, { $ref: '#/$defs/node' }] } },
    definitions,
  };
  const source = sourceOf('shop', [strange, { ...strange, path: 'shop.nodes.all', inputSchema: true }]);
  expect(search([source], 'next node', { limit: 5 }).found[0]?.path).toBe('shop.nodes.get');
});

function pathsFor(query: string): string[] {
  return search(sources, query, { limit: 5 }).found.map(({ path }) => path);
}

describe('a tool that is called by its name', () => {
  test.each([
    ['shop.refunds.create', 'shop.refunds.create'],
    ['what does refunds.create take?', 'shop.refunds.create'],
    ['call `orders/get` for me: orders.get', 'shop.orders.get'],
    ['use prSettings of the hub', 'hub.forks.prSettings'],
    ['use pr_settings of the hub', 'hub.forks.prSettings'],
    ['hub/forks/pr_settings', 'hub.forks.prSettings'],
    ['await tools.shop.refunds.create({})', 'shop.refunds.create'],
    [
      'with user_id, order_id, cart_id, item_id, a_id, b_id, c_id, d_id call refunds.create',
      'shop.refunds.create',
    ],
  ])('comes first: %s', (query, path) => {
    expect(search([...sources, ...hub], query, { limit: 5 }).found[0]?.path).toBe(path);
  });

  test.each(['merge s.create', 'eorders.list', 'create the s.list'])(
    'is not called by the end of a word: %s',
    (query) => {
      const { found } = search([...sources, ...hub], query, { limit: 10, explain: true });
      expect(found.flatMap(({ why }) => why?.signs ?? [])).not.toContain('called');
    },
  );

  test('says so, and nothing else, of why it was found', () => {
    const [first] = search(sources, 'refunds.create', { limit: 3, explain: true }).found;
    expect(first).toMatchObject({ path: 'shop.refunds.create', why: { signs: ['called'] } });
  });

  test('is as visible as it is, however many are called so that are not', () => {
    const alike = Array.from({ length: 9 }, (_, place) =>
      tool('POST /run', `group${place}.run_all`, 'Run', [], 'jobs'),
    );
    const found = (tools: Tool[], isVisible: (_: number, path: string) => boolean) =>
      search([sourceOf('jobs', tools)], 'call run_all', { limit: 10, isVisible }).found.map(
        ({ path }) => path,
      );
    expect(found(alike, (_, path) => !path.includes('group8'))).toEqual(found(alike.slice(0, 8), () => true));
  });

  test('is not shown to who may not know of it', () => {
    const isVisible = (_: number, path: string) => path !== 'shop.refunds.create';
    const { found } = search(sources, 'refunds.create', { limit: 10, isVisible });
    expect(found.map(({ path }) => path)).not.toContain('shop.refunds.create');
  });
});

describe('where no tool is made for what is asked', () => {
  const web = sourceOf('web', [
    { ...tool('POST /search', 'search', 'Search the web for pages', [], 'web'), effect: 'read' },
    { ...tool('POST /mail', 'mail.send', 'Send a mail', [], 'web'), effect: 'write' },
  ]);

  test('what searches for anything is offered, and said to be that', () => {
    const outcome = search([...sources, web], 'how tall is Mount Everest', { limit: 10 });
    expect(outcome).toMatchObject({ found: [{ path: 'web.search' }], total: 1, isLastResort: true });
  });

  test('only what does nothing but search is offered, the plainest first', () => {
    const others = sourceOf('acme', [
      tool('DELETE /history', 'history.delete', 'Delete the web search history', [], 'acme'),
      tool('POST /engine', 'engine.create', 'Create an online store engine', [], 'acme'),
      tool('GET /users', 'users.findOnline', 'Find users who are online', [], 'acme'),
      tool('GET /wiki', 'wikipedia.searchArticles', 'Articles of Wikipedia', [], 'acme'),
    ]);
    const { found } = search([others, web], 'how tall is Mount Everest', { limit: 10, explain: true });
    expect(found.map(({ path }) => path)).toEqual(['web.search', 'acme.wikipedia.searchArticles']);
    expect(found[0]?.why).toMatchObject({ words: [], signs: ['anything'] });
  });

  test.each(['?', 'the', 'please', 'hello', 'thanks', 'asdfqwer', '"foo"', 'do it'])(
    'nothing is offered to who asks nothing: %s',
    (query) => {
      expect(search([...sources, web], query, { limit: 10 }).found).toEqual([]);
    },
  );

  test('nothing is offered to who wants something done', () => {
    expect(search([...sources, web], 'order a pepperoni pizza', { limit: 10 }).isLastResort).toBeUndefined();
    expect(search([web], 'paint the kitchen', { limit: 10 }).found).toEqual([]);
  });

  test('nor what nobody may know of', () => {
    const options = { limit: 10, isVisible: (_: number, path: string) => path !== 'web.search' };
    expect(search([...sources, web], 'how tall is Mount Everest', options).found).toEqual([]);
  });
});

test('a search for what other tools need is preferred where something is called by its name, any other search is not', () => {
  const films = sourceOf('films', [
    tool('GET /search/person', 'people.search', 'Search for people', [], 'films'),
    tool('GET /person/{person_id}/credits', 'people.credits', 'Credits of a person', ['person_id'], 'films'),
    tool('GET /search/keyword', 'keywords.search', 'Search for keywords of a person', [], 'films'),
  ]);
  const why = (path: string) =>
    search([films], 'which person is Ada Lovelace', { limit: 10, explain: true }).found.find(
      (one) => one.path === path,
    )?.why?.signs;
  expect(why('films.people.search')).toContain('named');
  expect(why('films.keywords.search')).not.toContain('named');
});

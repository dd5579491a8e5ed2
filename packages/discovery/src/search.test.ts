import type { Tool } from '@executor/engine';
import { describe, expect, test } from 'vitest';
import { search, sourceOf, tool } from '../test/searched-tools.ts';
import { createDiscovery } from './create-discovery.ts';

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

  test('with several tasks finds a tool for each', () => {
    const found = pathsFor('Search for a product, then create an order, and list the webhooks').slice(0, 4);
    expect(found).toEqual(
      expect.arrayContaining(['shop.products.search', 'shop.orders.create', 'shop.webhooks.list']),
    );
  });

  test.each([
    ['star and fork the repo', ['hub.repos.star', 'hub.repos.fork']],
    ['create a label and a milestone', ['hub.labels.create', 'hub.milestones.create']],
    ['merge a PR & delete its label', ['hub.pulls.merge', 'hub.labels.delete']],
  ])('applies words that two clauses share to both: %s', (query, paths) => {
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

  test('finds tools with parameters named like properties of every object', () => {
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

  test('that ends with a file name finds the tool for files, not for folders', () => {
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

  test('has an answer if only filler words are missing', () => {
    expect(pathsFor("find today's latest related webhooks")[0]).toBe('shop.webhooks.list');
  });

  test('that no tool fits has no results, and lists the unknown words', () => {
    expect(search(sources, 'knit a sweater', { limit: 5 })).toMatchObject({
      found: [],
      total: 0,
      unknown: ['knit', 'sweater'],
    });
  });

  test('resolves a pronoun to the object of the clause before', () => {
    const { found } = search(hub, 'open a pull request, then merge it', { limit: 2, explain: true });
    expect(found.find(({ path }) => path === 'hub.pulls.merge')?.why?.need).toBe('pull request merge');
  });

  test('for information prefers tools that read', () => {
    const [first] = search(hub, 'show me the label', { limit: 3, explain: true }).found;
    expect(first?.why?.signs).not.toContain('changes something, but the request asks for no change');
    const created = search(hub, 'show me the milestone', { limit: 3, explain: true }).found;
    expect(created.find(({ path }) => path === 'hub.milestones.create')?.why?.signs).toContain(
      'does another kind of action than the request asks for',
    );
  });

  test('is explained by words and signs', () => {
    const [first] = search(sources, 'remove order', { limit: 1, explain: true }).found;
    expect(first?.why?.words).toEqual([
      { word: 'remove', as: 'delete', via: 'verb', in: ['name', 'summary'], worth: expect.any(Number) },
      {
        word: 'order',
        as: 'orders',
        via: 'inflection',
        in: expect.arrayContaining(['group', 'summary']),
        worth: expect.any(Number),
      },
    ]);
    expect(first?.why).toMatchObject({
      missing: [],
      signs: ['does the kind of action that the request asks for'],
    });
  });

  test('is explained by the answered part of the request and by missing words', () => {
    const { found } = search(sources, 'refund an order and update the purple product', {
      limit: 6,
      explain: true,
    });
    const refund = found.find(({ path }) => path === 'shop.refunds.create');
    expect(refund?.why?.need).toBe('refund order');
    const updated = found.find(({ path }) => path === 'shop.products.update');
    expect(updated?.why).toMatchObject({ need: 'update product', missing: ['purple'] });
  });

  test('never finds hidden tools, not even as providers', () => {
    const isVisible = (_: number, path: string) => path.startsWith('shop.refunds');
    expect(search(sources, 'refund an order', { limit: 5, isVisible }).found.map(({ path }) => path)).toEqual(
      ['shop.refunds.create'],
    );
  });

  test('that names a source prefers its tools', () => {
    const two = [
      ...sources,
      sourceOf('depot', [tool('GET /orders', 'orders.list', 'List orders', [], 'depot')]),
    ];
    const found = search(two, 'orders in depot', { limit: 3 }).found;
    expect(found[0]?.path).toBe('depot.orders.list');
  });
});

test('hostile text is searched safely and fast', () => {
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
    Array.from({ length: 3_000 }, (_, index) => `word${index},`).join(' and '),
    '/a'.repeat(5_000),
    `/${'.'.repeat(8_000)}`,
    '/.a.'.repeat(2_000),
    `${'save '.repeat(2_000)}to /x.md `.repeat(3),
    '订'.repeat(10_000),
  ];
  const before = process.cpuUsage();
  for (const query of hostile)
    expect(search(sources, query, { limit: 10 }).found.length).toBeLessThanOrEqual(10);
  // The limit is some hundred times the usual time.
  expect(process.cpuUsage(before).user / 1000).toBeLessThan(5_000);
});

test('circular and invalid schemas can be indexed', () => {
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

describe('a tool that the request names', () => {
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
  ])('is the first result: %s', (query, path) => {
    expect(search([...sources, ...hub], query, { limit: 5 }).found[0]?.path).toBe(path);
  });

  test.each(['merge s.create', 'eorders.list', 'create the s.list'])(
    'is not recognised by the end of a word: %s',
    (query) => {
      const { found } = search([...sources, ...hub], query, { limit: 10, explain: true });
      expect(found.flatMap(({ why }) => why?.signs ?? [])).not.toContain('the request names it');
    },
  );

  test('is explained by its name only', () => {
    const [first] = search(sources, 'refunds.create', { limit: 3, explain: true }).found;
    expect(first).toMatchObject({ path: 'shop.refunds.create', why: { signs: ['the request names it'] } });
  });

  test('is found whether or not hidden tools have the same name', () => {
    const alike = Array.from({ length: 9 }, (_, index) =>
      tool('POST /run', `group${index}.run_all`, 'Run', [], 'jobs'),
    );
    const found = (tools: Tool[], isVisible: (_: number, path: string) => boolean) =>
      search([sourceOf('jobs', tools)], 'call run_all', { limit: 10, isVisible }).found.map(
        ({ path }) => path,
      );
    expect(found(alike, (_, path) => !path.includes('group8'))).toEqual(found(alike.slice(0, 8), () => true));
  });

  test('is not found if it is hidden', () => {
    const isVisible = (_: number, path: string) => path !== 'shop.refunds.create';
    const { found } = search(sources, 'refunds.create', { limit: 10, isVisible });
    expect(found.map(({ path }) => path)).not.toContain('shop.refunds.create');
  });
});

describe('if no tool fits', () => {
  const web = sourceOf('web', [
    { ...tool('POST /search', 'search', 'Search the web for pages', [], 'web'), effect: 'read' },
    { ...tool('POST /mail', 'mail.send', 'Send a mail', [], 'web'), effect: 'write' },
  ]);

  test('a question gets the tools that search for anything, marked as last resort', () => {
    const outcome = search([...sources, web], 'how tall is Mount Everest', { limit: 10 });
    expect(outcome).toMatchObject({ found: [{ path: 'web.search' }], total: 1, isLastResort: true });
  });

  test('only tools that do nothing but search are a last resort, shortest names first', () => {
    const others = sourceOf('acme', [
      tool('DELETE /history', 'history.delete', 'Delete the web search history', [], 'acme'),
      tool('POST /engine', 'engine.create', 'Create an online store engine', [], 'acme'),
      tool('GET /users', 'users.findOnline', 'Find users who are online', [], 'acme'),
      tool('GET /wiki', 'wikipedia.searchArticles', 'Articles of Wikipedia', [], 'acme'),
    ]);
    const { found } = search([others, web], 'how tall is Mount Everest', { limit: 10, explain: true });
    expect(found.map(({ path }) => path)).toEqual(['web.search', 'acme.wikipedia.searchArticles']);
    expect(found[0]?.why).toMatchObject({ words: [], signs: ['searches for anything'] });
  });

  test.each(['?', 'the', 'please', 'hello', 'thanks', 'asdfqwer', '"foo"', 'do it'])(
    'text without a question has no results: %s',
    (query) => {
      expect(search([...sources, web], query, { limit: 10 }).found).toEqual([]);
    },
  );

  test('a request for an action has no last resort', () => {
    expect(search([...sources, web], 'order a pepperoni pizza', { limit: 10 }).isLastResort).toBeUndefined();
    expect(search([web], 'paint the kitchen', { limit: 10 }).found).toEqual([]);
  });

  test('a hidden tool is no last resort', () => {
    const options = { limit: 10, isVisible: (_: number, path: string) => path !== 'web.search' };
    expect(search([...sources, web], 'how tall is Mount Everest', options).found).toEqual([]);
  });
});

describe('meanings', () => {
  const books = [
    tool('POST /invoices', 'invoices.create', 'Create a sales invoice', [], 'books'),
    tool('GET /employees', 'employees.list', 'List employees', [], 'books'),
    tool('GET /tax-rates', 'taxRates.list', 'List tax rates', [], 'books'),
    tool('DELETE /webhooks/{id}', 'webhooks.delete', 'Delete a webhook', ['id'], 'books'),
  ];

  test('find a tool that has no word of the request, and explain it', () => {
    const [first] = search([sourceOf('books', books)], 'bill the buyer', { limit: 3, explain: true }).found;
    expect(first).toMatchObject({ path: 'books.invoices.create', why: { words: [] } });
    expect(first?.why?.meaning).toBeGreaterThan(0.2);
  });

  test('are not compared without word vectors; words are', () => {
    const plain = createDiscovery();
    const source = sourceOf('books', books, plain);
    expect(search([source], 'bill the buyer', { limit: 3 }, plain).found).toEqual([]);
    const { found } = search([source], 'list employees', { limit: 3, explain: true }, plain);
    expect(found[0]).toMatchObject({ path: 'books.employees.list' });
    expect(found[0]?.why).not.toHaveProperty('meaning');
    // An index that was built without vectors is searched by its words.
    expect(search([source], 'list employees', { limit: 3 }).found[0]?.path).toBe('books.employees.list');
  });

  test('are not compared if the word vectors cannot be read, which is reported once', () => {
    const problems: string[] = [];
    const broken = createDiscovery({
      vectorsFile: '/none/words.bin',
      onProblem: (text) => problems.push(text),
    });
    const source = sourceOf('books', books, broken);
    for (let round = 0; round < 2; round++)
      expect(search([source], 'list employees', { limit: 1 }, broken).found[0]?.path).toBe(
        'books.employees.list',
      );
    expect(problems).toEqual(['the word vectors could not be read, so search compares only words']);
  });

  test('need not be known if a request has no subject', () => {
    expect(search([sourceOf('books', books)], 'show all', { limit: 1 }).found[0]?.path).toContain('.list');
  });

  test('leave a request without an answer if nothing is similar', () => {
    expect(search([sourceOf('books', books)], 'mow the lawn', { limit: 3 }).found).toEqual([]);
  });
});

describe('the first result is', () => {
  const alike = ['alpha', 'beta', 'gamma', 'delta'].map((name) =>
    tool(`GET /${name}`, `${name}.list`, 'List the records'),
  );

  test.each([
    ['unsure if several tools are alike', 'records', true],
    ['sure if one tool stands out', 'records of gamma', undefined],
  ])('%s', (_, query, isUnsure) => {
    expect(search([sourceOf('shop', alike)], query, { limit: 5 }).isUnsure).toBe(isUnsure);
  });
});

test('tools of a named service come first, although other services have better words', () => {
  const desk = sourceOf('desk', [tool('GET /tickets', 'tickets.list', 'List tickets', [], 'desk')]);
  const hall = sourceOf('hall', [
    tool('GET /shows', 'shows.list', 'List shows', [], 'hall'),
    tool('POST /seats', 'seats.sell', 'Sell a ticket', [], 'hall'),
  ]);
  expect(search([desk, hall], 'tickets in hall', { limit: 2 }).found[0]?.path).toBe('hall.seats.sell');
});

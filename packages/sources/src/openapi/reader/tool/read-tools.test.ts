import { describe, expect, test } from 'vitest';
import { read, withOperation } from '../../../../test/read.ts';

const toolOf = async (operation: object, rest: Record<string, unknown> = {}) => {
  const { tools } = await read(withOperation({ tags: ['t'], operationId: undefined, ...operation }, rest));
  return tools[0] as NonNullable<(typeof tools)[0]>;
};

describe('the effect of a call follows from its method', () => {
  test.each([
    ['get', 'read', true],
    ['head', 'read', true],
    ['options', 'read', true],
    ['put', 'write', true],
    ['delete', 'destructive', true],
    ['post', 'write', false],
    ['patch', 'write', false],
  ])('%s: %s, repeatable: %s', async (method, effect, repeatable) => {
    expect(await toolOf({}, { method })).toMatchObject({ effect, repeatable });
  });

  test.each([
    ['get', '/x', 'deleteUser', 'destructive', false],
    ['get', '/users/{id}/remove', undefined, 'destructive', false],
    ['get', '/x', 'users.purge', 'destructive', false],
    ['get', '/x', 'listDeletedUsers', 'read', true],
    ['get', '/x', 'createUser', 'write', false],
    ['post', '/x', 'users/delete-many', 'destructive', false],
    ['post', '/users/bulk-delete', undefined, 'destructive', false],
    ['post', '/x', 'bulkRemoveUsers', 'destructive', false],
    ['post', '/x', 'createRemoveToken', 'write', false],
    ['post', '/x', 'undoDelete', 'write', false],
    ['put', '/x', 'removeUser', 'destructive', true],
  ])(
    'unless its name or path is stricter: %s %s %s',
    async (method, path, operationId, effect, repeatable) => {
      const tool = await toolOf({ operationId }, { method, path });
      expect(tool).toMatchObject({ effect, repeatable });
      expect(tool.suggestion).toBeUndefined();
    },
  );

  test.each([
    ['/search', {}],
    ['/x', { operationId: 'findUsers' }],
    ['/x', { summary: 'List everything' }],
    ['/users:export', {}],
  ])('looser names are a suggestion: POST %s %j', async (path, operation) => {
    const tool = await toolOf(operation, { method: 'post', path });
    expect(tool).toMatchObject({
      effect: 'write',
      repeatable: false,
      suggestion: {
        effect: 'read',
        repeatable: true,
        why: expect.stringMatching(/seems to be read-only\.$/),
      },
    });
  });

  test('an idempotency key is a suggestion', async () => {
    const parameters = [{ name: 'Idempotency-Key', in: 'header', schema: { type: 'string' } }];
    expect((await toolOf({ parameters, operationId: 'pay' }, { method: 'post' })).suggestion).toEqual({
      repeatable: true,
      why: expect.any(String),
    });
    expect(
      (await toolOf({ operationId: 'createSearch' }, { method: 'post', path: '/search' })).suggestion,
    ).toBeUndefined();
  });
});

describe('a description', () => {
  test.each([
    [{ summary: 'Sum', description: 'More.' }, 'Sum\n\nMore.'],
    [{ summary: 'Sum', description: 'Sum of it' }, 'Sum of it'],
    [
      { description: '<p>A <b>bold</b> &amp; [linked](https://x.example/a_(b)) word</p>' },
      'A bold & linked word',
    ],
    [{}, 'GET /things'],
    [{ summary: '', description: 7 }, 'GET /things'],
  ])('is plain text: %j', async (operation, description) => {
    expect((await toolOf(operation)).description).toBe(description);
  });

  test('is cut at a word boundary', async () => {
    const { description } = await toolOf({ description: 'word '.repeat(100_000) });
    expect(description).toMatch(/^(word ){190,}word…$/);
    expect((await toolOf({ description: '<'.repeat(1_000_000) })).description.length).toBeLessThan(1_010);
  });
});

test('tags after the first are kept', async () => {
  expect((await toolOf({ tags: ['orders', 'billing', 7, 'x'.repeat(200)] })).tags).toEqual([
    'billing',
    'x'.repeat(80),
  ]);
  expect(await toolOf({ tags: ['orders'] })).not.toHaveProperty('tags');
});

test('tools have their origin and say if they are deprecated', async () => {
  expect(await toolOf({ deprecated: true, operationId: 'a' })).toMatchObject({
    deprecated: true,
    origin: { method: 'GET', path: '/things', operationId: 'a' },
  });
});

describe('a version', () => {
  const schemas = (extra: object = {}) => ({
    A: { type: 'object', properties: { b: { $ref: '#/components/schemas/B' } } },
    B: { type: 'object', properties: { a: { $ref: '#/components/schemas/A' }, ...extra } },
    Out: { type: 'object' },
  });
  const versionOf = async (
    operation: object = {},
    { parts = schemas(), ...rest }: Record<string, unknown> & { parts?: object } = {},
  ) => {
    const parameters = [
      { name: 'a', in: 'query', description: 'words', schema: { $ref: '#/components/schemas/A' } },
    ];
    const responses = {
      200: { content: { 'application/json': { schema: { $ref: '#/components/schemas/Out' } } } },
    };
    return (
      await toolOf(
        { parameters, responses, operationId: 'run', ...operation },
        { components: { schemas: parts }, ...rest },
      )
    ).version;
  };

  test('changes with everything that decides the request', async () => {
    const all = [
      await versionOf(),
      await versionOf({}, { parts: schemas({ c: { type: 'string' } }) }),
      await versionOf({ parameters: [] }),
      await versionOf({ servers: [{ url: 'https://other.example' }] }),
      await versionOf({}, { method: 'post' }),
      await versionOf({}, { path: '/other' }),
      await versionOf(
        { security: [{ k: [] }] },
        { components: { schemas: schemas(), securitySchemes: { k: { type: 'http', scheme: 'basic' } } } },
      ),
    ];
    expect(new Set(all).size).toBe(all.length);
  });

  test('changes with its security schemes and their token URLs', async () => {
    const withScheme = (k: object) =>
      versionOf(
        { security: [{ k: [] }] },
        { components: { schemas: schemas(), securitySchemes: { k, other: { type: 'http' } } } },
      );
    const flow = (tokenUrl: string, words: string) => ({
      type: 'oauth2',
      flows: { clientCredentials: { tokenUrl, scopes: { a: words } } },
    });
    const key = { type: 'apiKey', in: 'header', name: 'X-Key' };
    const all = [
      await withScheme(key),
      await withScheme({ ...key, in: 'query' }),
      await withScheme({ ...key, name: 'X-Other' }),
      await withScheme({ type: 'http', scheme: 'bearer' }),
      await withScheme({ type: 'http', scheme: 'basic' }),
      await withScheme(flow('https://a.example', '')),
      await withScheme(flow('https://b.example', '')),
    ];
    expect(new Set(all).size).toBe(all.length);
    expect(await withScheme({ ...key, description: 'new' })).toBe(all[0]);
    expect(await withScheme(flow('https://a.example', 'new'))).toBe(all[5]);
  });

  test.each(['default', 'const', 'enum'])(
    'changes with values in a %s that look like descriptions',
    async (keyword) => {
      const withValue = (title: string) => {
        const value = { title, description: title };
        const schema = { type: 'object', [keyword]: keyword === 'enum' ? [value] : value };
        return versionOf({ parameters: [{ name: 'a', in: 'query', schema }] });
      };
      expect(await withValue('a')).not.toBe(await withValue('b'));
      const shared = (title: string) =>
        versionOf(
          {},
          {
            parts: schemas({
              c: { type: 'object', [keyword]: keyword === 'enum' ? [{ title }] : { title } },
            }),
          },
        );
      expect(await shared('a')).not.toBe(await shared('b'));
    },
  );

  test('does not change with the description of a property named title', async () => {
    const withTitle = (title: string) =>
      versionOf({}, { parts: schemas({ title: { type: 'string', title, description: title } }) });
    expect(await withTitle('a')).toBe(await withTitle('b'));
  });

  test('does not change with descriptions, responses or order', async () => {
    const reworded = schemas();
    Object.assign(reworded.A, { description: 'new' });
    Object.assign(reworded.Out, { properties: { x: {} } });
    const { A, B, Out } = reworded;
    expect(await versionOf({ summary: 'new', tags: ['t'] }, { parts: { Out, B, A } })).toBe(
      await versionOf(),
    );
  });
});

describe('the target of a tool is set if its calls go to another origin', () => {
  const swagger = { openapi: undefined, swagger: '2.0', host: 'api.example.com', servers: undefined };
  const server = { url: 'https://{h}/v1', variables: { h: { default: 'api.example.com' } } };
  test.each([
    ['another host', { servers: [{ url: 'https://other.example/v1' }] }, {}, 'https://other.example'],
    [
      'another port',
      { servers: [{ url: 'https://api.example.com:8443' }] },
      {},
      'https://api.example.com:8443',
    ],
    ['http', { servers: [{ url: 'http://api.example.com' }] }, {}, 'http://api.example.com'],
    [
      'http in Swagger',
      { schemes: ['http'] },
      { ...swagger, schemes: ['https', 'http'] },
      'http://api.example.com',
    ],
    ['another path', { servers: [{ url: 'https://API.example.com:443/v2' }] }, {}, undefined],
    ['a variable', { servers: [server] }, {}, undefined],
    [
      'another variable',
      { servers: [{ ...server, variables: { h: { default: 'b.example' } } }] },
      {},
      'https://b.example',
    ],
    ['a variable without a value', { servers: [{ url: 'https://{h}/v1' }] }, {}, 'https://{h}'],
    ['nothing', {}, {}, undefined],
  ])('%s', async (_, operation, rest, target) => {
    expect((await toolOf(operation, rest)).target).toBe(target);
  });

  test('the server of its path', async () => {
    const document = withOperation({});
    Object.assign(Object.values(document.paths)[0] as object, { servers: [{ url: 'https://path.example' }] });
    expect((await read(document)).tool('api.t.run').target).toBe('https://path.example');
  });
});

import { exampleOf, signatureOf } from '@executor/engine';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { describeSource } from '../../../engine/src/ports/source.suite.ts';
import { openCalls } from '../../test/graphql/calling.ts';
import { gardenSdl, startGarden } from '../../test/graphql/garden.ts';
import { readerFolder } from '../../test/reader-folder.ts';
import { createHttpClient } from '../http/create-http-client.ts';
import { createGraphQlSource } from './graphql-source.ts';

/* A real GraphQL server on loopback. */

const http = createHttpClient();
const source = createGraphQlSource({ http, readerFolder });
let garden: Awaited<ReturnType<typeof startGarden>>;
let api: Awaited<ReturnType<typeof openCalls>>;
const settings = { url: '', allowPrivateNetwork: true };

beforeAll(async () => {
  garden = await startGarden();
  settings.url = garden.endpoint;
  api = await openCalls(source, settings);
});
afterAll(async () => {
  await Promise.all([http.close(), garden.close()]);
});
beforeEach(() => {
  garden.requests.splice(0);
});

describeSource('graphql', {
  open: async () => source,
  namespace: 'api',
  get settings() {
    return settings;
  },
  works: { path: 'api.query.plant', input: { key: { id: 'p1' } } },
  refused: { path: 'api.query.fails', input: {} },
  endless: { path: 'api.query.slow', input: {} },
});

const value = async (path: string, input: unknown) => {
  const outcome = await api.call(path, input);
  if (outcome.type !== 'value') throw new Error(JSON.stringify(outcome));
  return outcome.value as never;
};

test('Queries and mutations are tools, and subscriptions are a warning', () => {
  expect([...api.pack.paths()].sort()).toEqual(
    [
      ...['addPlant', 'deletePlant', 'searchPlants'].map((name) => `api.mutation.${name}`),
      ...['broken', 'choose', 'count', 'fails', 'node', 'old', 'plant', 'plants', 'slow', 'things'].map(
        (name) => `api.query.${name}`,
      ),
    ].sort(),
  );
  expect(api.loaded.warnings.map(({ message }) => message)).toContain(
    'Executor does not support subscriptions, because a call has one result. It ignored 1: grown',
  );
  expect(api.loaded.baseUrl).toBe(garden.endpoint);
});

test('A tool has the effect of its operation, and a name can make it stricter', () => {
  const effect = (path: string) => {
    const { effect, repeatable, suggestion } = api.find(`api.${path}`);
    return [effect, repeatable, suggestion?.effect];
  };
  expect(effect('query.plant')).toEqual(['read', true, undefined]);
  expect(effect('mutation.addPlant')).toEqual(['write', false, undefined]);
  expect(effect('mutation.deletePlant')).toEqual(['destructive', false, undefined]);
  expect(effect('mutation.searchPlants')).toEqual(['write', false, 'read']);
  expect(api.find('api.query.old')).toMatchObject({ deprecated: true });
});

test('Arguments and results are typed', () => {
  const plant = api.find('api.query.plant');
  expect(signatureOf(plant)).toMatchInlineSnapshot(`
    "(input: {
      key: { id: string | number } | { name: string }; // Pass exactly one field
      select?: string; // Other fields of Plant to return, in GraphQL
    }) => Promise<{
      id: string;
      name: string;
      color: "RED" | "GREEN" | "BLUE" | null;
      planted: string | null; // DateTime
      notes: unknown; // JSON
      height: number | null;
      parent: Plant | null;
      neighbours: Plant[];
      gardener: { id: string; name: string; plants?: PlantFields[]; friends?: GardenerFields[] } | null;
      oldName?: string | null; // Use name; deprecated
      seeds?: string[];
      secret?: string | null;
    } | null>;
    type Plant = {
      id: string;
      name: string;
      color?: "RED" | "GREEN" | "BLUE" | null;
      planted?: string | null; // DateTime
      notes?: unknown; // JSON
      oldName?: string | null; // Use name; deprecated
      gardener?: GardenerFields | null;
      neighbours?: PlantFields[];
      parent?: PlantFields | null;
      seeds?: string[];
      height?: number | null;
      secret?: string | null;
    };
    // a greater depth spells out PlantFields, GardenerFields"
  `);
  expect(signatureOf(api.find('api.mutation.addPlant'))).toMatchInlineSnapshot(`
    "(input: {
      input: {
        name: string;
        color?: "RED" | "GREEN" | "BLUE" | null;
        size?: Size | null;
        when?: string | null; // DateTime
        extra?: unknown; // JSON
      };
      select?: string; // Other fields of PlantPayload to return, in GraphQL
    }) => Promise<{
      plant: {
        id: string;
        name: string;
        color: "RED" | "GREEN" | "BLUE" | null;
        planted: string | null; // DateTime
        notes: unknown; // JSON
        height: number | null;
        parent: Plant | null;
        neighbours: Plant[];
        gardener: Gardener | null;
        oldName?: string | null; // Use name; deprecated
        seeds?: string[];
        secret?: string | null;
      } | null;
      clientMutationId?: string | null;
    } | null>;
    // a greater depth spells out Size, Plant, Gardener"
  `);
  expect(exampleOf(plant)).toContain('api.query.plant');
});

describe('a call', () => {
  test('sends its arguments as variables, and only those that it has', async () => {
    expect(await value('api.query.plant', { key: { name: 'Plant 3' } })).toMatchObject({
      id: 'p3',
      gardener: { id: 'g1', name: 'Ada' },
      parent: { id: 'p2', name: 'Plant 2' },
    });
    expect(garden.requests).toMatchObject([
      {
        variables: { key: { name: 'Plant 3' } },
        query: expect.stringMatching(/^query plant\(\$key: Key!\) \{/),
      },
    ]);
    expect(garden.requests[0]?.query).not.toMatch(/oldName|seeds/);
  });

  test('shows what it sends', async () => {
    const input = { input: { name: 'Rose', extra: { any: ['thing'] } } };
    const preview = api.preview('api.mutation.addPlant', input);
    expect(preview).toMatchObject({ method: 'POST', url: garden.endpoint, body: { variables: input } });
    expect(await value('api.mutation.addPlant', input)).toMatchObject({ plant: { name: 'Rose' } });
    expect(garden.requests).toMatchObject([preview.body]);
  });

  test('of a scalar selects nothing', async () => {
    expect(await value('api.query.count', {})).toBe(50);
    expect(await value('api.mutation.deletePlant', { id: 'p1' })).toBe(true);
  });

  test('of a union has the type of each item', async () => {
    expect(await value('api.query.things', {})).toMatchObject([
      { __typename: 'Plant', name: 'Plant 0' },
      { __typename: 'Gardener', name: 'Ada' },
      { __typename: 'Tool', label: 'Spade' },
    ]);
    expect(await value('api.query.node', { id: 'p0' })).toMatchObject({ __typename: 'Plant', id: 'p0' });
  });

  test('keeps arguments with the names of our own fields apart', async () => {
    const input = { select: 'x', $select: 'name' };
    expect(await value('api.query.choose', input)).toEqual({ name: 'x' });
    expect(garden.requests[0]?.variables).toEqual({ select: 'x' });
  });

  test('of a connection gets a page, and the position of the next one', async () => {
    const first = await value('api.query.plants', {});
    expect(first).toMatchObject({ totalCount: 50, pageInfo: { hasNextPage: true, endCursor: '19' } });
    const all: string[] = [];
    let after: string | undefined;
    do {
      const page: { nodes: { id: string }[]; pageInfo: { hasNextPage: boolean; endCursor: string } } =
        await value('api.query.plants', { first: 15, after, select: 'nodes { id }' });
      all.push(...page.nodes.map(({ id }) => id));
      after = page.pageInfo.hasNextPage ? page.pageInfo.endCursor : undefined;
    } while (after !== undefined);
    expect(all).toHaveLength(50);
    expect(await value('api.query.plants', { last: 2, select: 'nodes { id }' })).toMatchObject({
      nodes: [{ id: 'p48' }, { id: 'p49' }],
    });
  });
});

describe('select', () => {
  const select = (text: string) => value('api.query.plant', { key: { id: 'p1' }, select: text });
  const problem = async (text: string) => {
    const input = { key: { id: 'p1' }, select: text };
    const found = await api.check('api.query.plant', input);
    expect(await api.call('api.query.plant', input)).toEqual(found);
    expect(garden.requests).toEqual([]);
    return found?.message;
  };

  test('chooses the fields, with arguments, aliases and fragments', async () => {
    expect(await select('name')).toEqual({ name: 'Plant 1' });
    expect(await select('{ parent { parent { id } neighbours { gardener { name } } } }')).toEqual({
      parent: { parent: null, neighbours: [{ gardener: { name: 'Ada' } }] },
    });
    expect(await select('two: seeds(count: 2) m: height(unit: "m") # comment')).toEqual({
      two: ['seed 0', 'seed 1'],
      m: 1.2,
    });
    expect(await value('api.query.things', { select: '... on Node { id } ... on Tool { label }' })).toEqual([
      { id: 'p0' },
      { id: 'g1' },
      { id: 't1', label: 'Spade' },
    ]);
  });

  test.each([
    ['nmae', 'Cannot query field "nmae" on type "Plant". Did you mean "name"?'],
    ['gardener { plants { colour } }', 'Did you mean "color"?'],
    ['zzzzzzz', 'Its fields are id, name, color'],
    ['gardener', 'must have a selection of subfields. Did you mean "gardener { ... }"?'],
    ['name { x }', 'must not have a selection since type "String!" has no subfields'],
    ['seeds', 'Field "seeds" argument "count" of type "Int!" is required'],
    ['seeds(count: "2")', 'Int cannot represent non-integer value: "2"'],
    ['seeds(cout: 2)', 'Unknown argument "cout" on field "Plant.seeds". Did you mean "count"?'],
    ['... on Gardener { id }', 'can never be of type "Gardener"'],
    ['... on Nothing { id }', 'Unknown type "Nothing"'],
    ['name @secret', 'Unknown directive "@secret"'],
    ['...Other', 'cannot use the fragment Other'],
    ['seeds(count: $n)', 'cannot use the variable $n'],
    ['name } mutation { deletePlant(id: "p1") ', 'is one selection of fields'],
    ['name } fragment X on Plant { id ', 'is one selection of fields'],
    ['{ name', 'Syntax Error'],
    ['', 'Syntax Error'],
  ])('%j is refused before anything is sent', async (text, message) => {
    expect(await problem(text)).toContain(message);
    expect(await problem(text)).toContain('Nothing was sent.');
  });
});

describe('errors', () => {
  test('of the server are one error with message and path', async () => {
    expect(await api.call('api.query.fails', {})).toEqual({
      type: 'error',
      message: 'Nothing grows here (at fails).',
      details: {
        status: 200,
        code: 'graphqlError',
        errors: [{ message: 'Nothing grows here', path: 'fails' }],
      },
    });
  });

  test('beside data keep the data reachable', async () => {
    const outcome = await api.call('api.query.broken', {});
    expect(outcome).toMatchObject({
      type: 'error',
      message: expect.stringMatching(
        /^The gardener is away \(at broken\.gardener\)\. .*error\.details\.data.*`select`/,
      ),
      details: { data: { id: 'p0', gardener: null } },
    });
    expect(await value('api.query.broken', { select: 'name' })).toEqual({ name: 'Plant 0' });
  });

  test('after a mutation say that it was executed', async () => {
    const input = { input: { name: 'Rose' }, select: 'plant { secret(really: true) }' };
    expect(await api.call('api.mutation.addPlant', input)).toMatchObject({
      type: 'error',
      message: expect.stringContaining('The mutation was executed: do not repeat it.'),
    });
  });
});

describe('a schema without a server', () => {
  test('needs the URL of the server before calls work', async () => {
    const without = await openCalls(source, { document: gardenSdl });
    expect(without.loaded.baseUrl).toBeUndefined();
    expect(await without.check('api.query.count', {})).toMatchObject({
      message: expect.stringContaining('--base-url URL'),
    });
    const complete = await openCalls(source, {
      document: gardenSdl,
      baseUrl: garden.endpoint,
      allowPrivateNetwork: true,
    });
    expect(await complete.call('api.query.count', {})).toEqual({ type: 'value', value: 50 });
  });

  test('gives the same tools from SDL and from introspection', async () => {
    const fromSdl = await openCalls(source, { document: gardenSdl });
    const rows = (of: typeof api) =>
      [...of.pack.rows()].map(({ path, version, effect }) => [path, version, effect]);
    expect(rows(fromSdl)).toEqual(rows(api));
  });
});

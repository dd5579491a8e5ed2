import type { Source, SourceSettings } from '@executor/engine';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { driveDocument } from '../../../test/google/documents.ts';
import { startLocalServer } from '../../../test/local-server.ts';
import { type ReadTool, read } from '../../../test/read.ts';
import { readerFolder } from '../../../test/reader-folder.ts';
import { faultsOf } from '../../../test/soundness.ts';
import { createHttpClient } from '../../http/create-http-client.ts';
import type { HttpClient } from '../../http/http-client.ts';
import { createGoogleSource } from '../google-source.ts';

/* What a hostile Discovery document, or a hostile input for one, cannot do. */

let http: HttpClient;
let source: Source;
beforeAll(() => {
  http = createHttpClient();
  source = createGoogleSource({ http, readerFolder });
});
afterAll(() => http.close());

const drive = driveDocument('https://www.googleapis.com');
const string = { type: 'string', location: 'path', required: true };

/** A document of these methods. */
const withMethods = (methods: object, root: object = {}) => ({
  ...drive,
  resources: { things: { methods } },
  ...root,
});
const method = (more: object = {}) => ({
  id: 'drive.things.run',
  path: 'things',
  httpMethod: 'GET',
  ...more,
});
const readMethods = (methods: object, root: object = {}) =>
  read(JSON.stringify(withMethods(methods, root)), { format: 'google' });

async function only(more: object, root: object = {}): Promise<ReadTool> {
  return (await readMethods({ run: method(more) }, root)).tool('api.things.run');
}

const settings: SourceSettings = { document: '{}' };
const preview = (tool: ReadTool, input: unknown) => source.preview({ tool, input, settings });

describe('A value for {+name}', () => {
  const named = { path: 'v1/{+name}:run', parameters: { name: string } };

  test.each(['../secret', 'a/../../b', 'a/./b', '..', '.', 'a//b', '/a', 'a/', '', '/'])(
    'cannot be %j',
    async (name) => {
      expect(preview(await only(named), { name })).toEqual({
        problem: expect.stringMatching(/^name is part of the path/),
      });
    },
  );

  test.each([
    ['projects/a b/keys/ü', 'projects/a%20b/keys/%C3%BC'],
    ['a/%2e%2e/b', 'a/%252e%252e/b'],
    ['a/..%2f..', 'a/..%252f..'],
    ['a\\..\\b', 'a%5C..%5Cb'],
    ['a?key=b#c', 'a%3Fkey%3Db%23c'],
    ['https://evil.example/x', undefined],
  ])('%j is sent as %j', async (name, path) => {
    const { url, problem } = preview(await only(named), { name });
    if (path === undefined) expect(problem).toBeDefined();
    else expect(url).toBe(`https://www.googleapis.com/drive/v3/v1/${path}:run`);
  });

  test('has slashes only where the document allows them', async () => {
    const tool = await only({ path: 'v1/{name}', parameters: { name: string } });
    expect(preview(tool, { name: 'a/../b' }).url).toBe('https://www.googleapis.com/drive/v3/v1/a%2F..%2Fb');
  });
});

describe('A document cannot send calls to another host', () => {
  test.each(['//evil.example/x', 'https://evil.example/x', '@evil.example', '\\\\evil.example\\x'])(
    'with the path %j',
    async (path) => {
      const { tools } = await readMethods({ run: method({ path }) }, { servicePath: '' });
      for (const tool of tools)
        expect(new URL(String(preview(tool, {}).url)).host).toBe('www.googleapis.com');
    },
  );

  test.each(['https://evil.example/upload', '//evil.example/upload', 'upload', '/upload?x=1', '/upload#x'])(
    'with the path for uploads %j',
    async (path) => {
      const { tool, warnings } = await readMethods({
        run: method({
          httpMethod: 'POST',
          supportsMediaUpload: true,
          mediaUpload: { accept: ['*/*'], protocols: { simple: { multipart: true, path } } },
        }),
      });
      expect(tool('api.things.run').plan.upload).toBeUndefined();
      expect(warnings).toEqual([
        { place: '/resources/things/methods/run/mediaUpload', message: expect.stringContaining('no file') },
      ]);
    },
  );

  test('but its root URL is another one, which the source shows', async () => {
    const { baseUrl, tools } = await readMethods({ run: method() }, { rootUrl: 'https://other.example/' });
    expect(baseUrl).toBe('https://other.example');
    expect(tools.map(({ target }) => target)).toEqual([undefined]);
  });

  test('with credentials in its root URL, a scheme of another protocol, or nothing', async () => {
    const user = await readMethods({ run: method() }, { rootUrl: 'https://user:word@other.example/' });
    expect(user.baseUrl).toBe('https://other.example');
    for (const rootUrl of ['file:///etc/', 'javascript:alert(1)', 7, null]) {
      const { tools, baseUrl = 'https://api.example.com' } = await readMethods(
        { run: method() },
        { rootUrl },
      );
      expect(new URL(baseUrl).origin).toBe('https://api.example.com');
      expect(tools).toHaveLength(1);
    }
  });
});

describe('A method', () => {
  test.each([
    [{ delete: method() }, 'delete'],
    [{ batchDelete: method({ httpMethod: 'POST' }) }, 'batchDelete'],
    [{ purge: method({ id: 'drive.things.list' }) }, 'purge'],
  ])('that is named after deleting is destructive, whatever it claims: %j', async (methods, name) => {
    expect((await readMethods(methods)).tool(`api.things.${name}`)).toMatchObject({ effect: 'destructive' });
  });

  test.each(['batch', 'batch/drive/v3', 'BATCH/drive', 'x/../batch', '%62atch/x', 'b%61tch', 'own/many/x'])(
    'at the batch path %j is no tool, because no rule would see its calls',
    async (path) => {
      const root = { servicePath: '', batchPath: '/own/many' };
      const { tools, warnings } = await readMethods({ run: method({ path, httpMethod: 'POST' }) }, root);
      expect(tools).toEqual([]);
      expect(warnings).toContainEqual({
        place: '/resources/things/methods/run',
        message: expect.stringContaining('any other calls'),
      });
    },
  );

  test.each(['{x}', '{+x}', '{x}/drive', 'b{x}', '/%62{x}', 'x/../{x}/y', '{x}/../{y}'])(
    'at the path %j is no tool, because a value could make it the batch path',
    async (path) => {
      const parameters = {
        x: { type: 'string', location: 'path', required: true },
        y: { type: 'string', location: 'path', required: true },
      };
      const run = method({ path, httpMethod: 'POST', parameters });
      expect((await readMethods({ run }, { servicePath: '' })).tools).toEqual([]);
      expect((await readMethods({ run }, { servicePath: 'a/b/c/' })).tools).toHaveLength(1);
    },
  );

  test('does not get the parameters that are credentials, or that change the format of the response', async () => {
    const tool = await only({});
    expect(Object.keys((tool.inputSchema as { properties: object }).properties)).toEqual(['fields']);
  });

  test.each([
    { httpMethod: 'CONNECT' },
    { httpMethod: 7 },
    { path: undefined },
    { path: 'a/{/b}' },
    { path: 'a/{b*}' },
    { path: '{?b}' },
  ])('that is not valid is ignored with a warning: %j', async (more) => {
    const { tools, warnings } = await readMethods({ run: method(more), good: method() });
    expect(tools.map(({ path }) => path)).toEqual(['api.things.good']);
    expect(warnings).toEqual([
      { place: '/resources/things/methods/run', message: expect.stringContaining('ignored') },
    ]);
  });
});

describe('Names', () => {
  test('such as __proto__ are ordinary', async () => {
    const text = JSON.stringify({ ...drive, schemas: {}, resources: {}, parameters: {} })
      .replace(
        '"schemas":{}',
        '"schemas":{"__proto__":{"type":"object","properties":{"__proto__":{"$ref":"__proto__"},"constructor":{"type":"string"}}}}',
      )
      .replace('"parameters":{}', '"parameters":{"__proto__":{"type":"string"}}')
      .replace(
        '"resources":{}',
        '"resources":{"__proto__":{"methods":{"__proto__":{"path":"a","httpMethod":"POST","request":{"$ref":"__proto__"},"parameters":{"__proto__":{"type":"string","location":"query"}}},"then":{"path":"b","httpMethod":"GET"}}},"constructor":{"methods":{"toString":{"path":"c","httpMethod":"GET"}}}}',
      );
    const { tools, definition } = await read(text, { format: 'google' });
    expect(faultsOf(tools, definition)).toEqual([]);
    expect(tools.map(({ path }) => path)).toEqual([
      'api.constructor_.toString_',
      'api.proto.proto',
      'api.proto.then_',
    ]);
    expect(({} as { type?: string }).type).toBeUndefined();
  });

  test('of a method and a resource beside it do not collide', async () => {
    const things = {
      methods: { parts: method({ httpMethod: 'POST' }) },
      resources: { parts: { methods: { list: method() } } },
    };
    const { tools } = await read(JSON.stringify({ ...drive, resources: { things } }), { format: 'google' });
    expect(tools.map(({ path }) => path)).toEqual(['api.things.parts.list', 'api.things.postParts']);
  });

  test('stay the same when the document is read again, even if methods share their path', async () => {
    const methods = { get: method({ path: 'v1/{+name}' }), other: method({ path: 'v1/{+name}' }) };
    const first = await readMethods(methods);
    const { other, get } = methods;
    const previous = first.tools.map(({ path, origin }) => ({ path, origin }));
    const again = await read(JSON.stringify(withMethods({ a: method({ path: 'v1/{+name}' }), other, get })), {
      format: 'google',
      previous,
    });
    expect(again.tools.map(({ path, origin }) => [path, origin.operationId])).toEqual([
      ['api.things.a', 'drive.things.a'],
      ['api.things.get', 'drive.things.get'],
      ['api.things.other', 'drive.things.other'],
    ]);
  });
});

describe('A document is read within limits', () => {
  test('if its schemas refer to themselves or to nothing', async () => {
    const schemas = {
      A: { $ref: 'B' },
      B: { $ref: 'A' },
      C: { $ref: 'C' },
      D: { type: 'object', properties: { d: { $ref: 'D' }, gone: { $ref: 'Gone' } } },
    };
    const methods = Object.fromEntries(
      [...Object.keys(schemas), 'Gone', '../x', 'https://evil.example/x'].map(($ref, index) => [
        `run${index}`,
        method({ httpMethod: 'POST', request: { $ref }, response: { $ref } }),
      ]),
    );
    const { tools, definition } = await read(JSON.stringify(withMethods(methods, { schemas })), {
      format: 'google',
      fetch: (url) => {
        throw new Error(`It fetches ${url}.`);
      },
    });
    expect(tools).toHaveLength(7);
    expect(faultsOf(tools, definition)).toEqual([]);
  });

  test('if its resources are nested deeply or are no objects', async () => {
    let resource: object = { methods: { run: method() } };
    for (let depth = 0; depth < 100; depth++) resource = { resources: { deep: resource } };
    const { tools, warnings } = await read(
      JSON.stringify({
        ...drive,
        resources: { deep: resource, text: 'x', list: [1], none: null, good: { methods: { run: method() } } },
      }),
      { format: 'google' },
    );
    expect(tools.map(({ path }) => path)).toEqual(['api.good.run']);
    expect(warnings).toContainEqual({ place: expect.anything(), message: expect.stringContaining('nested') });
  });

  test('if it has 50 MB', async () => {
    const properties = Object.fromEntries(
      Array.from({ length: 40 }, (_, index) => [
        `p${index}`,
        { type: 'string', description: 'x'.repeat(100) },
      ]),
    );
    const schemas = Object.fromEntries(
      Array.from({ length: 9_000 }, (_, index) => [`S${index}`, { type: 'object', properties }]),
    );
    const methods = Object.fromEntries(
      Array.from({ length: 9_000 }, (_, index) => [
        `run${index}`,
        method({ path: `things/${index}`, response: { $ref: `S${index}` } }),
      ]),
    );
    const text = JSON.stringify(withMethods(methods, { schemas }));
    expect(text.length).toBeGreaterThan(50_000_000);
    const server = await startLocalServer((_, response) => response.end(text));
    const { tools } = await source
      .load(
        { url: `${server.url}/rest`, allowPrivateNetwork: true },
        { sourceId: 'src', namespace: 'api', signal: new AbortController().signal },
      )
      .finally(() => server.close());
    expect(tools.length).toBeGreaterThan(1);
  }, 120_000);
});

import { createHash } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import {
  ChunkCache,
  type LoadContext,
  type LoadedSource,
  type LoadProgress,
  ToolPack,
} from '@executor/engine';
import { ExecutorError } from '@executor/protocol';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { examples, githubDocument } from '../../test/examples.ts';
import { withOperation } from '../../test/read.ts';
import { readerFolder } from '../../test/reader-folder.ts';
import { frameKinds } from './frame.ts';
import { type FetchDocument, type LoadRequest, loadDocument } from './load-document.ts';

/** Folder of programs that stand in for the reader. */
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'executor-reader-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const isLong = process.env.EXECUTOR_TEST_LONG === '1';

const none: FetchDocument = async (url) => {
  throw new ExecutorError('notFound', `Nobody answers at ${url}.`);
};

const load = (
  settings: LoadRequest['settings'],
  { context = {}, ...rest }: Partial<Omit<LoadRequest, 'context'>> & { context?: Partial<LoadContext> } = {},
) =>
  loadDocument({
    settings,
    context: { sourceId: 'src', namespace: 'api', signal: new AbortController().signal, ...context },
    fetchDocument: none,
    readerProgram: join(readerFolder, 'reader.cjs'),
    ...rest,
  });

const failure = (loading: Promise<unknown>) =>
  loading.then(
    () => 'loaded',
    (error) => (error instanceof ExecutorError ? `${error.code}: ${error.message}` : error),
  );

const rowsOf = async ({ tools }: LoadedSource) => [...(await ToolPack.open(tools, new ChunkCache())).rows()];
const text = JSON.stringify(withOperation({ summary: 'Run 😀' }));

/** An operation of 2 KB. */
const operationOf = (index: number) => ({
  operationId: `getThing${index}`,
  description: `The ${index}th thing. `.repeat(70),
  parameters: Array.from({ length: 12 }, (_, at) => ({
    name: `p${at}`,
    in: 'query',
    schema: { type: 'string' },
  })),
  responses: { 200: { description: 'ok', content: { 'application/json': { schema: { type: 'object' } } } } },
});

/** Fetches from a map of files instead of a server. */
const served =
  (files: Record<string, string | { to: string; text: string }>, asked: string[] = []): FetchDocument =>
  async (url) => {
    asked.push(url);
    const file = files[url];
    if (file === undefined) throw new ExecutorError('notFound', `${url} answered 404.`);
    const [body, from] = typeof file === 'string' ? [file, url] : [file.text, file.to];
    return { url: from, bytes: new Blob([body]).stream() as unknown as AsyncIterable<Uint8Array> };
  };

describe('the reader process', () => {
  test('returns the document, its tools and its metadata', async () => {
    const stages: LoadProgress[] = [];
    const loaded = await load(
      { document: text },
      { context: { onProgress: (progress) => stages.push(progress) } },
    );
    const { document, tools: _, ...rest } = loaded;
    expect(rest).toEqual({
      title: 'Things',
      baseUrl: 'https://api.example.com',
      security: [],
      warnings: [],
    });
    expect(gunzipSync(Buffer.concat(document?.pieces ?? [])).toString()).toBe(text);
    expect(document).toMatchObject({
      mediaType: 'application/json',
      bytes: Buffer.byteLength(text),
      hash: createHash('sha256').update(text).digest('hex'),
    });
    expect(await rowsOf(loaded)).toMatchObject([{ path: 'api.t.run', description: 'Run 😀' }]);
    const tool = (await ToolPack.open(loaded.tools, new ChunkCache())).find('api.t.run');
    expect(tool?.inputSchema).toMatchObject({ largeIntegers: 'text' });
    expect([...new Set(stages.map(({ stage }) => stage))]).toEqual(['fetching', 'reading']);
    expect(stages.at(-1)).toEqual({ stage: 'reading', done: 1, total: 1 });
  });

  test("reads GitHub's 13 MB and returns them in chunks", async () => {
    const bytes = githubDocument();
    const loaded = await load({ document: bytes.toString() });
    expect(await rowsOf(loaded)).toHaveLength(1_223);
    expect(loaded.warnings).toEqual([]);
    expect(gunzipSync(Buffer.concat(loaded.document?.pieces ?? [])).equals(bytes)).toBe(true);
    expect(Math.max(...(loaded.document?.pieces ?? []).map(({ length }) => length))).toBeLessThanOrEqual(
      256 * 1024,
    );
  });

  test('gives the same tools for a document passed as text and a fetched one', async () => {
    const { bytes = Buffer.of() } = examples().find(({ path }) => path === '3.1/json/readme.json') ?? {};
    const loaded = await rowsOf(await load({ document: bytes.toString() }));
    expect(loaded.length).toBeGreaterThan(40);
    const again = await load(
      { url: 'https://api.example.com/doc' },
      { fetchDocument: async (url) => ({ url, bytes }), context: { previous: loaded } },
    );
    expect(await rowsOf(again)).toEqual(loaded);
  });

  test.runIf(isLong)('reads 50 MB', { timeout: 120_000 }, async () => {
    const paths = Object.fromEntries(
      Array.from({ length: 25_000 }, (_, index) => [`/things${index}`, { get: operationOf(index) }]),
    );
    const large = JSON.stringify({ openapi: '3.0.3', info: { title: 'Large' }, paths });
    expect(Buffer.byteLength(large)).toBeGreaterThan(50_000_000);
    const loaded = await load({ document: large });
    expect(await rowsOf(loaded)).toHaveLength(25_000);
    expect(loaded.document?.bytes).toBe(Buffer.byteLength(large));
    const kept = gunzipSync(Buffer.concat(loaded.document?.pieces ?? [])).toString();
    expect(kept === large).toBe(true);
  });

  test('keeps the paths of previous tools', async () => {
    const previous = [
      { path: 'api.my.own', origin: { method: 'GET', path: '/things' } },
    ] as unknown as LoadContext['previous'];
    expect(
      await rowsOf(
        await load({ document: text, baseUrl: 'https://mine.example' }, { context: { previous } }),
      ),
    ).toMatchObject([{ path: 'api.my.own' }]);
  });

  test('refuses an unusable document with a message', async () => {
    expect(await failure(load({ document: '<html>' }))).toMatch(/^unusableDocument: This is an HTML page/);
    const empty = '{"openapi":"3.0.0","info":7,"paths":[1,2]}';
    expect(await failure(load({ document: empty }))).toMatch(
      /^unusableDocument: The paths of the document are a list, .* there is nothing to call/,
    );
    const hooks = '{"openapi":"3.1.0","info":{},"webhooks":{"paid":{"post":{}}}}';
    expect(await failure(load({ document: hooks }))).toMatch(/^unusableDocument: .* has only webhooks/);
    expect(await failure(load({ url: 'https://gone.example/x' }))).toBe(
      'notFound: Nobody answers at https://gone.example/x.',
    );
  });
});

describe('referenced documents', () => {
  const at = (...references: string[]) => {
    const parameters = references.map(($ref, index) => ({
      name: `p${index}`,
      in: 'query',
      schema: { $ref },
    }));
    return JSON.stringify(withOperation({ parameters }));
  };
  const main = 'https://a.example/docs/api.json';
  const follow = async (reference: string, files: Parameters<typeof served>[0], settings: object = {}) => {
    const asked: string[] = [];
    const loaded = await load(
      { url: main, ...settings },
      { fetchDocument: served({ [main]: at(reference), ...files }, asked) },
    );
    return { asked: asked.slice(1), warnings: loaded.warnings.map(({ message }) => message) };
  };

  test('on the same origin are fetched', async () => {
    expect(await follow('../parts.yaml#/a', { 'https://a.example/parts.yaml': 'a: {type: string}' })).toEqual(
      { asked: ['https://a.example/parts.yaml'], warnings: [] },
    );
    expect((await follow('gone.json', {})).warnings).toEqual([
      'The reference gone.json cannot be resolved: https://a.example/docs/gone.json answered 404.',
    ]);
  });

  test('on other hosts are fetched only if a user allows it', async () => {
    const other = 'https://b.example/parts.json';
    const files = { [other]: '{"type":"string"}' };
    expect(await follow(other, files)).toEqual({
      asked: [],
      warnings: [
        expect.stringContaining(
          'it is on another host; use --allow-external-references b.example to allow it',
        ),
      ],
    });
    expect(await follow(other, files, { externalReferences: ['c.example'] })).toMatchObject({ asked: [] });
    expect(await follow(other, files, { externalReferences: ['B.example'] })).toEqual({
      asked: [other],
      warnings: [],
    });
    expect(await follow(other, files, { externalReferences: true })).toEqual({
      asked: [other],
      warnings: [],
    });
  });

  test('that redirect to other hosts are refused', async () => {
    const moved = { to: 'https://b.example/x', text: '{"type":"string"}' };
    expect((await follow('x.json', { 'https://a.example/docs/x.json': moved })).warnings).toEqual([
      expect.stringContaining('it is on another host'),
    ]);
  });

  test('that redirect to other hosts free their connections', async () => {
    let closed = false;
    async function* bytes() {
      try {
        yield Buffer.from('{}');
        yield Buffer.from('{}');
      } finally {
        closed = true;
      }
    }
    const document = at('x.json');
    const fetchDocument: FetchDocument = async (url) =>
      url.endsWith('x.json')
        ? { url: 'https://b.example/x', bytes: bytes() }
        : { url, bytes: Buffer.from(document) };
    await load({ url: 'https://a.example/docs/api.json' }, { fetchDocument });
    expect(closed).toBe(true);
  });

  test('are never files, URLs of other schemes or URLs with credentials', async () => {
    const references = [
      'file:///etc/passwd',
      '/etc/passwd',
      'ftp://a.example/x',
      'https://user:pass@a.example/x',
      'data:application/json,{}',
    ];
    const { warnings } = await load({ document: at(...references) });
    expect(warnings).toHaveLength(references.length);
    const asked: string[] = [];
    const fetchDocument = served({ [main]: at(...references) }, asked);
    await load({ url: main, externalReferences: true }, { fetchDocument });
    expect(asked).toEqual([main, 'https://a.example/etc/passwd']);
  });

  test('without end are refused', async () => {
    const endless: FetchDocument = async (url) => {
      const next = Number(/\d+$/.exec(url)?.[0] ?? 0) + 1;
      const bytes = Buffer.from(
        next === 1 ? at('/n1') : JSON.stringify({ properties: { a: { $ref: `/n${next}` } } }),
      );
      return { url, bytes };
    };
    expect(await failure(load({ url: main }, { fetchDocument: endless }))).toMatch(
      /references more than 200 other documents/,
    );
  });
});

describe('a faulty reader process', () => {
  const program = async (code: string) => {
    const file = join(folder, `${createHash('sha256').update(code).digest('hex').slice(0, 12)}.cjs`);
    await writeFile(file, code);
    return { readerProgram: file };
  };
  /** Code that sends a message and then runs `next`. */
  const send = (message: string, next: string) =>
    `const m = Buffer.from(JSON.stringify(${message})); const p = Buffer.alloc(5); p.writeUInt32LE(m.length); p[4] = ${frameKinds.message}; process.stdout.write(Buffer.concat([p, m]), () => { ${next} });`;
  const refuseWith = (expression: string) =>
    send(`{ type: 'refused', message: String(${expression}) }`, 'process.exit(0)');

  test('is ended if it exceeds the memory limit', async () => {
    const huge = `{"openapi":"3.0.0","paths":{},"x":[${'{"a":[]},'.repeat(500_000)}0]}`;
    expect(await failure(load({ document: huge }, { limits: { heapMegabytes: 32 } }))).toMatch(
      /^payloadTooLarge: Reading the document exceeded the memory limit/,
    );
  });

  test('is ended if it takes too long, busy or idle', async () => {
    for (const code of ['for (;;);', 'setInterval(() => {}, 1000)']) {
      expect(
        await failure(load({ document: text }, { ...(await program(code)), limits: { cpuMs: 200 } })),
      ).toMatch(/^timeout: Reading the document timed out/);
    }
  });

  test.each([
    [
      'sends bytes that are not a frame',
      "process.stdout.write('hello, this is no frame at all'); setInterval(() => {}, 1000)",
    ],
    ['sends an invalid message', send("{ type: 'end' }", 'setInterval(() => {}, 1000)')],
    ['dies', 'process.exit(3)'],
    ['ends without a message', 'process.exit(0)'],
  ])('that %s fails only this load', async (_, code) => {
    expect(await failure(load({ document: text.repeat(10_000) }, await program(code)))).toMatch(
      /^internal: The document could not be read/,
    );
  });

  test('has an empty environment and cannot read files', async () => {
    process.env.EXECUTOR_READER_TEST = 'secret';
    expect(
      await failure(
        load(
          { document: text },
          await program(refuseWith("Object.keys(process.env).filter((key) => key.startsWith('EXECUTOR'))")),
        ),
      ),
    ).toBe('unusableDocument: ');
    delete process.env.EXECUTOR_READER_TEST;
    const file = fileURLToPath(import.meta.url);
    const reads = `(() => { try { return require('node:fs').readFileSync(${JSON.stringify(file)}).length } catch (error) { return error.code } })()`;
    expect(await failure(load({ document: text }, await program(refuseWith(reads))))).toBe(
      'unusableDocument: ERR_ACCESS_DENIED',
    );
  });

  test('is ended when the load is cancelled', async () => {
    const end = new AbortController();
    const busy = await program(send("{ type: 'progress', done: 1, total: 2 }", 'for (;;);'));
    const onProgress = ({ done, total }: LoadProgress) => {
      if (done === 1 && total === 2) end.abort(new ExecutorError('gone', 'Never mind.'));
    };
    const loading = load({ document: text }, { ...busy, context: { signal: end.signal, onProgress } });
    expect(await failure(loading)).toBe('gone: Never mind.');
    expect(await failure(load({ document: text }, { context: { signal: end.signal } }))).toBe(
      'gone: Never mind.',
    );
  });

  test('receives at most 64 MB', async () => {
    const endless: FetchDocument = async (url) => ({
      url,
      bytes: (async function* () {
        for (;;) yield new Uint8Array(4 * 1024 * 1024);
      })(),
    });
    expect(await failure(load({ url: 'https://a.example/x' }, { fetchDocument: endless }))).toMatch(
      /^payloadTooLarge: The document is larger than 64 MB/,
    );
  });
});

describe('a document in several files', () => {
  const main = JSON.stringify(
    withOperation({ parameters: [{ $ref: './parts/page one.yaml#/Page' }, { $ref: 'parts/gone.yaml#/X' }] }),
  );
  const others = {
    'parts/page one.yaml':
      "Page: { name: page, in: query, schema: { $ref: 'numbers.json#/Whole' }, x: { $ref: '../api.json' } }\r\n",
    'parts/numbers.json': '{"Whole":{"type":"integer"}}',
    'parts/unused.yaml': 'a: 1 # kept all the same',
  };
  const textsOf = ({ document }: LoadedSource) =>
    Object.fromEntries(
      (document?.files ?? []).map(({ name, pieces }) => [name, gunzipSync(Buffer.concat(pieces)).toString()]),
    );

  test('is read as one, and each file is kept byte for byte', async () => {
    const loaded = await load({ document: main, files: { main: 'api.json', others } });
    const pack = await ToolPack.open(loaded.tools, new ChunkCache());
    const [row] = pack.rows();
    const tool = pack.find(row?.path ?? '');
    expect(tool?.inputSchema).toMatchObject({ properties: { page: {} } });
    expect(loaded.document).toMatchObject({ name: 'api.json', bytes: Buffer.byteLength(main) });
    expect(textsOf(loaded)).toEqual(others);
    expect(loaded.warnings).toEqual([
      {
        place: expect.any(String),
        message:
          'The reference parts/gone.yaml#/X cannot be resolved: no file parts/gone.yaml was passed with the document.',
      },
    ]);
  });

  test.each([
    ['api@v2.json', 'api@v2.json'],
    ['api@v2.json', 'api%40v2.json'],
    ['v1+2,3&4=5;6$[7]:8.json', 'v1+2,3&4=5;6$[7]:8.json'],
    ["a b%20?#!(1)é'*~.json", "a b%2520%3F%23!(1)é'*~.json"],
  ])('named %s is found by the reference %s', async (name, written) => {
    const references = {
      components: { schemas: { Money: { type: 'integer' } } },
      ...withOperation({
        parameters: [{ name: 'a', in: 'query', schema: { $ref: 'schemas/a.json' } }],
      }),
    };
    const back = JSON.stringify({ $ref: `../${written}#/components/schemas/Money` });
    const others = { 'schemas/a.json': back };
    const loaded = await load({ document: JSON.stringify(references), files: { main: name, others } });
    expect(loaded.warnings).toEqual([]);
  });

  test('may have more files than it may fetch documents', async () => {
    const count = isLong ? 1_000 : 250;
    const names = Array.from({ length: count }, (_, index) => `parts/p${index}.json`);
    const parameters = names.map((name) => ({ $ref: name }));
    const parts = names.map((name, index) => [
      name,
      JSON.stringify({ name: `p${index}`, in: 'query', schema: { type: 'string' } }),
    ]);
    const loaded = await load({
      document: JSON.stringify(withOperation({ parameters })),
      files: { main: 'api.json', others: Object.fromEntries(parts) },
    });
    expect(loaded.warnings).toEqual([]);
    expect(loaded.document?.files).toHaveLength(count);
  });

  test('never includes files of this machine', async () => {
    const references = ['file:///etc/passwd', '/etc/passwd', '../../etc/passwd', '//host/etc/passwd'];
    const document = JSON.stringify(withOperation({ parameters: references.map(($ref) => ({ $ref })) }));
    const messages = async (settings: LoadRequest['settings']) =>
      (await load(settings)).warnings.map(({ message }) => message);
    const files = { main: 'a/api.json', others: { 'b.json': '{}' } };
    const [beside, alone] = [await messages({ document, files }), await messages({ document })];
    expect(beside).toEqual(references.map(() => expect.stringContaining(': no file ')));
    expect(alone).toEqual(references.map(() => expect.stringContaining('cannot be resolved')));
  });

  test('keeps the referenced documents that were fetched', async () => {
    const url = 'https://a.example/api/openapi.json';
    const shared = 'P: { name: p, in: query, schema: { type: string } } # as it was\n';
    const fetchDocument = served({
      [url]: JSON.stringify(withOperation({ parameters: [{ $ref: 'shared.yaml#/P' }] })),
      'https://a.example/api/shared.yaml': shared,
    });
    expect(textsOf(await load({ url }, { fetchDocument }))).toEqual({
      'https://a.example/api/shared.yaml': shared,
    });
  });
});

test('values that a user enters for unknown server variables are rejected, but not in a refresh', async () => {
  const variables = { region: { default: 'eu', enum: ['eu', 'us'] }, tenant: { default: 'a' } };
  const servers = [{ url: 'https://{tenant}.{region}.example', variables }];
  const document = JSON.stringify({ ...withOperation({}), servers });
  const enter = (serverVariables: Record<string, string>, isEntered = true) =>
    load({ document, serverVariables }, isEntered ? { context: { entered: { serverVariables } } } : {});
  await expect(enter({ regin: 'eu' })).rejects.toThrow(
    'The document has no server variable "regin". Did you mean "region"? It has ',
  );
  await expect(enter({ region: 'mars' })).rejects.toThrow(
    'The server variable "region" must be one of eu, us, got "mars".',
  );
  expect(await enter({ region: 'us', tenant: 'any' })).toMatchObject({ baseUrl: 'https://any.us.example' });
  await enter({ regin: 'eu' }, false);
});

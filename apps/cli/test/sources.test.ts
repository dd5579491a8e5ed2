import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { TestHome } from './home.ts';
import { keys, Terminal } from './terminal.ts';

const token = 'cli-test-token-1234';
let api: Api;
let home: TestHome;
beforeAll(async () => {
  api = await Api.start();
  home = new TestHome({
    NOTES_TOKEN: token,
    EXECUTOR_TOOL_SOURCES: JSON.stringify([
      { name: 'preset', spec: `${api.url}/openapi.json` },
      { name: 'odd', spec: 7 },
    ]),
  });
  await home.json('up');
  await vi.waitUntil(async () => (await home.client.sources.list()).items.length === 1, { timeout: 20_000 });
});
afterAll(async () => {
  await home[Symbol.asyncDispose]();
  api.server.close();
});
beforeEach(async () => {
  api.document = describeApi(api.url);
  for (const { namespace } of (await home.client.sources.list()).items)
    if (namespace !== 'preset') await home.client.sources.remove({ id: namespace });
});

const document = () => `${api.url}/openapi.json`;
const piped = (args: string[], input: string) => home.start(args, { input }).ended;
/** Adds a source that a test needs as a precondition. */
const addSource = (namespace: string) => home.client.sources.create({ url: document(), namespace });

describe('sources', () => {
  test('add prints the result, missing credentials and a next step', async () => {
    const { code, stdout, stderr } = await home.run(['sources', 'add', document(), '--namespace', 'notes']);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toContain('Added notes: 4 tools of Notes API\n');
    expect(stdout).toMatch(new RegExp(`calls go to +${api.url}/v1\n`));
    expect(stdout).toContain(
      'none set. The document declares token (HTTP bearer). Set them: executor sources edit notes --bearer',
    );
    expect(stdout).toMatch(/\nTry: executor tools call notes\.list\n$/);
    expect((await home.run(['tools', 'call', 'notes.list'])).code).toBe(0);
    expect((await home.run(['sources'])).stdout).toMatch(/notes +Notes API +openapi +4 +none/);
    const again = (await home.run(['sources', 'add', api.url, '--namespace', 'twice'])).stdout;
    expect(again).toContain(`${document()}, found from that address\n`);
    expect(again).toContain('notes has the same document. To keep only one: executor sources rm twice\n');
  });

  test('the catalog lists providers with their names, as a table and as JSON', async () => {
    const { stdout } = await home.run(['sources', 'catalog', 'stripe']);
    expect(stdout).toMatch(
      /^NAME +SYSTEM +KIND +AUTH +GROUP +GET A KEY\nstripe +Stripe +openapi +bearer +payments/,
    );
    const { items } = await home.json('sources', 'catalog', 'payments');
    expect(items).toContainEqual(expect.objectContaining({ name: 'square', icon: 'square' }));
    expect((await home.run(['sources', 'catalog', 'nothing like it'])).stdout).toContain(
      'No provider matches',
    );
  });

  test('add says which credential a system needs that shows nothing without one', async () => {
    const locked = createServer((request, response) => {
      if (request.headers.authorization === `Bearer ${token}`)
        return response.end(JSON.stringify(api.document));
      return response.writeHead(401, { 'www-authenticate': 'Bearer realm="x"' }).end();
    }).listen(0, '127.0.0.1');
    await once(locked, 'listening');
    const url = `http://127.0.0.1:${(locked.address() as AddressInfo).port}/`;
    const add = ['sources', 'add', url, '--namespace', 'locked'];
    const { code, stderr } = await home.run(add);
    expect(code).toBe(1);
    expect(stderr).toContain(
      `Calls use a bearer token. Add the credential: executor sources add ${url} --bearer`,
    );
    expect(await home.json(...add, '--bearer', 'env:NOTES_TOKEN')).toMatchObject({ toolCount: 4 });
    locked.close();
  });

  test('add finds out that a URL is that of an MCP server', async () => {
    const server = createServer(async (request, response) => {
      const { id, method, params } = JSON.parse((await bodyOf(request)) || '{}');
      if (request.method !== 'POST') return response.writeHead(405).end();
      if (id === undefined) return response.writeHead(202).end();
      const serverInfo = { name: 'tides', title: 'Tides', version: '1' };
      const results: Record<string, object> = {
        initialize: { protocolVersion: params?.protocolVersion, capabilities: { tools: {} }, serverInfo },
        'tools/list': { tools: [{ name: 'today', inputSchema: { type: 'object' } }] },
      };
      const result = results[method];
      const answer = result ? { result } : { error: { code: -32601, message: 'unknown' } };
      response.writeHead(200, { 'content-type': 'application/json' });
      return response.end(JSON.stringify({ jsonrpc: '2.0', id, ...answer }));
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`;
    expect(await home.client.sources.detect({ url })).toMatchObject({
      kind: 'mcp',
      title: 'Tides',
      transport: 'http',
      confidence: { kind: 'certain' },
      probes: expect.arrayContaining([expect.objectContaining({ kind: 'openapi', outcome: 'nothing' })]),
    });
    expect(await home.json('sources', 'add', url)).toMatchObject({ namespace: 'tides', kind: 'mcp', url });
    expect((await home.json('tools', 'ls', 'tides')).items[0].path).toBe('tides.today');
    server.close();
    server.closeAllConnections();
  });

  test('at a terminal, add lets the user choose between several systems', async () => {
    const add = ['sources', 'add', `${api.url}/docs`, '--namespace', 'chosen'];
    const terminal = new Terminal(add, home.env);
    await terminal.until('Which of these do you want to add?');
    await terminal.until(/└/);
    terminal.type(keys.down);
    await terminal.until(/● [^\n]*b\.json/);
    terminal.type(keys.enter);
    expect(await terminal.exit).toBe(0);
    expect(await home.json('sources', 'show', 'chosen')).toMatchObject({ url: `${api.url}/b.json` });
  });

  test('add ends with a command that works', async () => {
    const lastLine = async (...options: string[]) => {
      const { stdout } = await home.run(['sources', 'add', document(), '--namespace', 'notes', ...options]);
      await home.client.sources.remove({ id: 'notes' });
      return stdout.trimEnd().split('\n').at(-1);
    };
    api.document.security = [{ token: [] }];
    expect(await lastLine()).toBe('Next, set its credentials: executor sources edit notes --bearer');
    expect(await lastLine('--bearer', 'env:NOTES_TOKEN')).toBe('Try: executor tools call notes.list');
    api.document.security = [];
    delete api.document.paths['/whoami'];
    api.document.paths['/notes'].get.parameters[0].required = true;
    expect(await lastLine()).toBe('See the input of a tool: executor tools describe notes.list');
    delete api.document.paths['/notes'].get;
    delete api.document.components;
    expect(await lastLine()).toBe('See its tools: executor tools ls notes');
  });

  test('a program starts in the current folder, unless --cwd names another', async () => {
    const folder = fileURLToPath(new URL('../../../node_modules/@modelcontextprotocol', import.meta.url));
    const add = ['sources', 'add', '--transport', 'stdio', '--namespace', 'program', '--json'];
    const server = ['--', 'node', 'server-everything/dist/index.js'];
    const added = await home.run([...add, ...server], {}, folder);
    expect(added.stderr).toBe('');
    expect(JSON.parse(added.stdout).settings).toMatchObject({ cwd: folder });
    await home.client.sources.remove({ id: 'program' });
    const elsewhere = await home.run([...add, '--cwd', folder, ...server], {}, home.path);
    expect(JSON.parse(elsewhere.stdout).settings).toMatchObject({ cwd: folder });
  });

  test('rm needs --yes in a script', async () => {
    await addSource('notes');
    for (const options of [[], ['--json']])
      expect(await home.run(['sources', 'rm', 'notes', ...options])).toMatchObject({
        code: 2,
        stdout: '',
        stderr: expect.stringContaining('Nothing was removed. Add --yes to remove notes'),
      });
    expect((await home.client.sources.get({ id: 'notes' })).namespace).toBe('notes');
    expect(await home.run(['sources', 'rm', 'notes', '--yes'])).toEqual({
      code: 0,
      stdout: 'Removed notes and its tools.\n',
      stderr: '',
    });
    expect((await home.run(['sources', 'rm', 'notes', '--yes'])).code).toBe(1);
  });

  test('rm asks at a terminal, with No as the default', async () => {
    await addSource('notes');
    const removing = async (typed: string) => {
      const terminal = new Terminal(['sources', 'rm', 'notes'], home.env);
      await terminal.until('Remove notes (Notes API) with its 4 tools, settings and credentials?');
      await terminal.until(/└/);
      terminal.type(typed);
      return terminal.exit;
    };
    for (const no of [keys.enter, 'n']) {
      expect(await removing(no)).toBe(1);
      expect((await home.client.sources.get({ id: 'notes' })).namespace).toBe('notes');
    }
    expect(await removing('y')).toBe(0);
    await expect(home.client.sources.get({ id: 'notes' })).rejects.toMatchObject({ code: 'notFound' });
  });

  test('edit --namespace renames a source and its rules, and needs --yes in a script', async () => {
    await addSource('notes');
    const { id } = await home.client.policies.create({ pattern: 'notes.**', decision: 'deny' });
    const rename = ['sources', 'edit', 'notes', '--namespace', 'memos'];
    expect(await home.run(rename)).toMatchObject({
      code: 2,
      stdout: 'deny notes.** becomes memos.**\n',
      stderr: expect.stringContaining('Nothing was renamed. Add --yes to accept the change of 1 rule'),
    });
    expect(await home.run([...rename, '--yes'])).toMatchObject({
      code: 0,
      stdout:
        'deny notes.** becomes memos.**\nnotes is now memos. 1 rule was rewritten. Waiting runs may still use the old name.\n',
    });
    const { items } = await home.client.policies.list({});
    expect(items.find((rule) => rule.id === id)).toMatchObject({ pattern: 'memos.**' });
    await home.client.policies.remove({ id });
    await home.client.sources.remove({ id: 'memos' });
  });

  test('a call sends its credentials and hides them in the result', async () => {
    await home.json('sources', 'add', document(), '--namespace', 'notes', '--bearer', 'env:NOTES_TOKEN');
    const listed = await home.run(['tools', 'call', 'notes.list', '{"limit":2}']);
    expect(listed).toEqual({ code: 0, stdout: '[{"id":1,"text":"first"}]\n', stderr: '' });
    expect(api.requests.at(-1)).toMatchObject({ url: '/v1/notes?limit=2', authorization: `Bearer ${token}` });
    const file = join(home.path, 'input.json');
    await writeFile(file, '{"text":"from a file"}');
    const waiting = await home.run(['tools', 'call', 'notes.create', `@${file}`]);
    expect(waiting.code).toBe(3);
    const { interactions, executionId } = JSON.parse(waiting.stdout);
    await home.client.interactions.resolve({ id: interactions[0].id, action: 'approve' });
    expect((await home.client.executions.wait({ id: executionId })).result).toEqual({
      id: 2,
      text: 'from a file',
    });
    const echoed = await home.json('tools', 'call', 'notes.whoami');
    expect(JSON.stringify(echoed)).not.toContain(token);
    expect(echoed.result).toEqual({ authorization: '[secret]' });
  });

  test('secrets are read from standard input, files and variables, but not from arguments', async () => {
    const add = ['sources', 'add', document(), '--namespace', 'secrets'];
    const [refused, ...others] = await home.runSeveral([
      [...add, '--bearer', 'in-plain-sight'],
      [...add, '--bearer'],
      [...add, '--bearer-env', 'NOWHERE'],
      [...add, '--bearer', 'env:NOTES_TOKEN', '--basic', 'env:X'],
    ]);
    expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining('cannot be an argument') });
    expect(others.map(({ stderr }) => stderr)).toEqual([
      expect.stringContaining('There is no terminal to ask for the token'),
      expect.stringContaining('NOWHERE is not set'),
      expect.stringContaining('one kind'),
    ]);
    expect((await piped([...add, '--bearer', '-'], `${token}\n`)).code).toBe(0);
    const file = join(home.path, 'login');
    await writeFile(file, 'ada:secret-password\n');
    expect((await home.json('sources', 'edit', 'secrets', '--basic', `file:${file}`)).auth).toEqual({
      type: 'basic',
    });
    const scheme = await home.json('sources', 'edit', 'secrets', '--scheme', 'token=env:NOTES_TOKEN');
    expect(scheme.auth).toEqual({ type: 'schemes', schemes: ['token'], headers: ['Authorization'] });
    expect((await home.json('sources', 'edit', 'secrets', '--no-auth')).auth).toEqual({ type: 'none' });
    const missing = await home.run(['tools', 'call', 'secrets.notes.whoami']);
    expect(missing).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('executor sources edit secrets --bearer'),
    });
  });

  test('documents can be files or standard input, and are returned unchanged', async () => {
    const file = join(home.path, 'openapi.json');
    const text = JSON.stringify(describeApi(api.url), null, 2);
    await writeFile(file, text);
    expect(await home.json('sources', 'add', file)).toMatchObject({ namespace: 'notes', toolCount: 4 });
    expect((await home.run(['sources', 'document', 'notes'])).stdout).toBe(text);
    expect((await piped(['sources', 'add', '-', '--name', 'My piped'], text)).stdout).toContain(
      'Added myPiped: 4 tools',
    );
    const code = 'return await tools.myPiped.notes.list({})';
    expect((await home.client.executions.create({ code, waitMs: 60_000 })).status).toBe('completed');
    expect((await home.run(['sources', 'refresh', 'notes'])).stdout).toBe(
      'Nothing changed: the document of notes is the same.\nThe document of notes is a file or text, which Executor does not read again. To replace it, run: executor sources edit notes --document FILE\n',
    );
    const changed = describeApi(api.url);
    delete changed.paths['/whoami'];
    await writeFile(file, JSON.stringify(changed));
    const edited = await home.run(['sources', 'edit', 'notes', '--document', file]);
    expect(edited.stdout).toContain('Changed notes: 0 new, 0 changed, 1 removed\n  - notes.whoami\n');
  });

  test('refresh lists the changes, and marks new writes', async () => {
    await addSource('notes');
    expect((await home.run(['sources', 'refresh', 'notes'])).stdout).toBe(
      'Nothing changed: the document of notes is the same.\n',
    );
    const { paths } = api.document;
    delete paths['/whoami'];
    paths['/notes/archive'] = { post: { operationId: 'archive', tags: ['notes'], responses: ok } };
    const { stdout } = await home.run(['sources', 'refresh', 'notes']);
    expect(stdout).toContain(
      'Refreshed notes: 1 new, 0 changed, 1 removed\n  + notes.archive\n  - notes.whoami\n',
    );
    expect((await home.run(['tools', 'ls', 'notes', '--only', 'unseen'])).stdout).toContain(
      'notes.archive  write, new',
    );
    expect(await home.json('sources', 'edit', 'notes', '--seen')).toMatchObject({ unseenCount: 0 });
  });

  test('edit changes settings and tools, and show prints them', async () => {
    await addSource('notes');
    const edited = await home.run([
      ...[
        'sources',
        'edit',
        'notes',
        '--name',
        'Our notes',
        '--header',
        'X-Tenant: one',
        '--approve-writes',
        'auto',
      ],
      ...['--effect', 'notes.create=read', '--base-url', `${api.url}/v2`, '--timeout', '5'],
    ]);
    expect(edited).toMatchObject({ code: 0, stderr: '' });
    const { stdout } = await home.run(['sources', 'show', 'notes']);
    expect(stdout).toMatch(/notes {2}Our notes\n/);
    expect(stdout).toContain('"headers":{"X-Tenant":"one"}');
    expect(stdout).toMatch(/approval +\{"write":"auto"\}/);
    expect((await home.run(['tools', 'describe', 'notes.create'])).stdout).toContain('read, edited');
    const limited = ['--max-response', '2M', '--no-allow-external-references'];
    const { settings } = await home.json('sources', 'edit', 'notes', '--timeout', 'none', ...limited);
    expect(settings).toMatchObject({ maxResponseBytes: 2 * 1024 ** 2, externalReferences: false });
    expect(settings).not.toHaveProperty('timeoutMs');
    const bare = ['--base-url', 'none', '--header', 'none', '--max-response', 'none'];
    const plain = await home.json('sources', 'edit', 'notes', ...bare);
    expect(plain).toMatchObject({ baseUrl: `${api.url}/v1`, settings: { headers: {} } });
    expect(plain.settings).not.toHaveProperty('maxResponseBytes');
  });

  test('mistakes get a suggestion and change nothing', async () => {
    const cases: [string[], number, string][] = [
      [
        ['sources', 'add', `${api.url}/nothing-here`],
        2,
        `nothing-here is not clearly one system. This system may be another one than you mean. Calls use a bearer token. To add it, run:\n  executor sources add ${document()} --kind openapi`,
      ],
      [['sources', 'add', `${api.url}/docs`], 2, `  executor sources add ${api.url}/b.json --kind openapi`],
      [['sources', 'add', 'no-such-provider'], 2, 'List the providers: executor sources catalog'],
      [['sources', 'add', 'githb'], 2, 'Did you mean github? List the providers: executor sources catalog'],
      [['sources', 'add', 'http://127.0.0.1:9/openapi.json'], 1, '127.0.0.1'],
      [
        ['sources', 'add', 'api.example.com/openapi.json'],
        2,
        'Did you mean https://api.example.com/openapi.json?',
      ],
      [['sources', 'add', join(home.path, 'none.json')], 2, 'there is no such file'],
      [['sources', 'add', document(), '--namespace', 'preset'], 1, 'The namespace "preset" is taken'],
      [['sources', 'add', document(), '--namespace', 'not-valid'], 2, 'must be an identifier'],
      [['sources', 'add', document(), '--api-key', 'X-Key'], 2, 'header:NAME'],
      [['sources', 'show', 'presett'], 1, 'Did you mean "preset"?'],
      [['sources', 'edit', 'preset'], 2, 'Pass at least one setting'],
      [['sources', 'edit', 'preset', '--scheme', 'tokn=env:NOTES_TOKEN'], 2, 'Did you mean "token"?'],
      [
        ['sources', 'edit', 'preset', '--effect', 'preset.notes.lst=read'],
        2,
        'Did you mean preset.notes.list?',
      ],
      [['sources', 'edit', 'preset', '--effect', 'preset.notes.list=maybe'], 2, 'read, write or destructive'],
      [['tools', 'describe', 'preset.notes.lst'], 1, 'Did you mean preset.notes.list?'],
      [['tools', 'serch'], 1, 'Or did you mean the command `executor tools search`?'],
      [['tools', 'descrbe', 'preset.notes'], 2, 'Did you mean describe?'],
      [['tools', 'ls', 'preset', 'notes'], 2, "'ls' takes at most 1, got: preset notes"],
      [['tools', 'describe', 'preset.notes'], 1, 'executor tools ls preset --filter notes lists them'],
      [['tools', 'search', 'x', '--limit', '100'], 2, '--limit must be a number from 1 to 50, got "100"'],
      [['tools', 'call', 'preset.notes.lst'], 1, 'Did you mean tools.preset.notes.list?'],
      [['tools', 'call', 'preset.notes.list', '{nonsense'], 2, 'The input must be JSON'],
      [['tools', 'call', 'not a path'], 2, 'is not the path of a tool'],
      [['tools', 'call', 'preset.notes.list', '@/nowhere'], 2, 'there is no such file'],
    ];
    const outcomes = await home.runSeveral(cases.map(([args]) => args));
    for (const [index, [args, code, message]] of cases.entries())
      expect({ args, ...outcomes[index] }).toMatchObject({
        args,
        code,
        stderr: expect.stringContaining(message),
      });
    expect((await home.client.sources.list()).items).toHaveLength(1);
  });

  test('configured sources are added, and doctor reports invalid ones', async () => {
    expect((await home.json('sources', 'show', 'preset')).toolCount).toBe(4);
    const { checks } = await home.json('doctor');
    expect(checks.filter(({ name }: { name: string }) => name === 'tool sources')).toMatchObject([
      {
        state: 'warning',
        message: expect.stringContaining('EXECUTOR_TOOL_SOURCES[1] The source is invalid: spec'),
      },
    ]);
  });

  test('the token is asked for at a terminal without echo', async () => {
    await addSource('typed');
    const terminal = new Terminal(['sources', 'edit', 'typed', '--bearer'], home.env);
    await terminal.until('the token');
    terminal.type(`${token}\r`);
    expect(await terminal.exit).toBe(0);
    expect(terminal.text).not.toContain(token);
    expect((await home.client.sources.get({ id: 'typed' })).auth).toEqual({ type: 'bearer' });
  });
});

describe('tools', () => {
  test('are listed, filtered and described', async () => {
    const all = await home.json('tools', 'ls');
    expect(all.items.map(({ path }: { path: string }) => path)).toEqual(
      expect.arrayContaining(['preset.notes.list', 'executor.sources.add', 'discover']),
    );
    expect((await home.json('tools', 'ls', 'preset', '--filter', 'list notes')).total).toBe(1);
    const { stdout } = await home.run(['tools', 'describe', 'preset.notes.create']);
    expect(stdout).toContain('(input: { text: string }) => Promise<unknown>;');
    expect(stdout).toContain('await tools.preset.notes.create({ text: "text" })');
    const whole = await home.run([
      ...['tools', 'describe', 'tools.preset.notes.create', '--depth', '5', '--schemas'],
    ]);
    expect(whole.stdout).toContain('"inputSchema": {');
  });

  test('are found by the words of a task, with reasons', async () => {
    const found = await home.run([
      'tools',
      'search',
      'show',
      'all',
      'notes',
      '--namespace',
      'preset',
      '--explain',
    ]);
    expect(found.stdout).toMatch(/^preset\.notes\.list\n[\s\S]*show \(\w+: list\) in [\s\S]*score \d/);
    const typed = [
      'tools',
      'search',
      'create a note',
      '--namespace',
      'preset',
      '--limit',
      '1',
      '--depth',
      '2',
    ];
    expect((await home.run(typed)).stdout).toMatch(/^preset\.notes\.create {2}ask\n[\s\S]*\(input: \{/);
    expect((await home.run(['tools', 'search', 'knit a sweater'])).stderr).toContain(
      'executor tools ls NS lists',
    );
  });

  test('can add a source after a user approves', async () => {
    const run = await home.run([
      'tools',
      'call',
      'executor.sources.add',
      JSON.stringify({ spec: document(), name: 'coded' }),
    ]);
    expect(run.code).toBe(3);
    const { interactions, executionId } = JSON.parse(run.stdout);
    const question = await home.client.interactions.get({ id: interactions[0].id });
    expect(question.request).toEqual({
      tool: 'executor.sources.add',
      input: {
        spec: document(),
        name: 'coded',
        network: 'calls may reach this machine and private networks',
      },
    });
    await home.client.interactions.resolve({ id: interactions[0].id, action: 'approve' });
    expect((await home.client.executions.wait({ id: executionId })).result).toMatchObject({
      namespace: 'coded',
      toolCount: 4,
    });
    expect((await home.run(['tools', 'call', 'coded.notes.list'])).stdout).toBe(
      '[{"id":1,"text":"first"}]\n',
    );
  });
});

const ok = { 200: { description: 'So it is', content: { 'application/json': { schema: {} } } } };

// biome-ignore lint/suspicious/noExplicitAny: a document of any shape
function describeApi(url: string): any {
  const text = { type: 'object', required: ['text'], properties: { text: { type: 'string' } } };
  return {
    openapi: '3.0.3',
    info: { title: 'Notes API', version: '1' },
    servers: [{ url: `${url}/v1` }],
    components: { securitySchemes: { token: { type: 'http', scheme: 'bearer' } } },
    paths: {
      '/notes': {
        get: {
          operationId: 'list',
          summary: 'List notes',
          tags: ['notes'],
          parameters: [{ name: 'limit', in: 'query', schema: { type: 'integer' } }],
          responses: ok,
        },
        post: {
          operationId: 'create',
          tags: ['notes'],
          requestBody: { required: true, content: { 'application/json': { schema: text } } },
          responses: ok,
        },
      },
      '/notes/{id}': {
        delete: {
          operationId: 'remove',
          tags: ['notes'],
          parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'integer' } }],
          responses: ok,
        },
      },
      '/whoami': {
        get: { operationId: 'whoami', tags: ['notes'], security: [{ token: [] }], responses: ok },
      },
    },
  };
}

/** An API on this machine with its document. */
class Api {
  readonly requests: { method: string; url: string; authorization: string | undefined }[] = [];
  // biome-ignore lint/suspicious/noExplicitAny: a document of any shape
  document: any;
  readonly server: Server = createServer(async (request, response) => {
    const { method = '', url = '' } = request;
    const { authorization } = request.headers;
    const body = await bodyOf(request);
    this.requests.push({ method, url, authorization });
    if (url.startsWith('/.well-known/')) return response.writeHead(404).end();
    if (url === '/docs')
      return response.end('<html><script>urls: [{"url":"/a.json"},{"url":"/b.json"}]</script>');
    const answer = this.#answer(method, url, { authorization, body });
    response.writeHead(answer === undefined ? 404 : 200, { 'content-type': 'application/json' });
    return response.end(JSON.stringify(answer ?? { message: 'no such thing' }));
  });

  static async start(): Promise<Api> {
    const api = new Api();
    api.server.listen(0, '127.0.0.1');
    await once(api.server, 'listening');
    api.document = describeApi(api.url);
    return api;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  #answer(
    method: string,
    url: string,
    { authorization, body }: { authorization: string | undefined; body: string },
  ): unknown {
    if (url === '/openapi.json') return this.document;
    if (/^\/[ab]\.json$/.test(url)) return { ...this.document, info: { title: url, version: '1' } };
    if (url.startsWith('/v1/notes') && method === 'GET') return [{ id: 1, text: 'first' }];
    if (url === '/v1/notes' && method === 'POST') return { id: 2, ...JSON.parse(body) };
    return url === '/v1/whoami' ? { authorization } : undefined;
  }
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  let body = '';
  for await (const chunk of request) body += chunk;
  return body;
}

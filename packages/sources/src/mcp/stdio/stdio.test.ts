import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { Source, SourceSettings } from '@executor/engine';
import { hidePaths, probeConfinement } from '@executor/sandboxes';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { describeSource } from '../../../../engine/src/ports/source.suite.ts';
import { loadMcp } from '../../../test/mcp/loaded-source.ts';
import { createHttpClient } from '../../http/create-http-client.ts';
import type { HttpClient } from '../../http/http-client.ts';
import { createMcpSource } from '../mcp-source.ts';

let http: HttpClient;
let source: Source;
beforeAll(() => {
  http = createHttpClient();
});
afterAll(() => http.close());
beforeEach(() => {
  source = createMcpSource({ http });
});
afterEach(() => source.close?.());

const file = (name: string) => fileURLToPath(new URL(`../../../test/mcp/${name}`, import.meta.url));
const package_ = (name: string) =>
  fileURLToPath(
    new URL(`../../../../../node_modules/@modelcontextprotocol/${name}/dist/index.js`, import.meta.url),
  );
const tsx = ['--import', new URL('../../../../../node_modules/tsx/dist/esm/index.mjs', import.meta.url).href];
const fixture = (era: string): SourceSettings => ({
  command: process.execPath,
  args: [...tsx, file('stdio-server.program.ts'), era],
});
const script = (code: string): SourceSettings => ({ command: process.execPath, args: ['-e', code] });

const isAlive = (pid: number) => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

describe.each(['legacy', 'modern'] as const)('A program of the %s era', (era) => {
  const shared = createMcpSource({ http: createHttpClient() });
  afterAll(() => shared.close?.());
  describeSource(`mcp, stdio, ${era}`, {
    open: async () => shared,
    namespace: 'test',
    settings: fixture(era),
    works: { path: 'test.echo', input: { text: 'hi' } },
    refused: { path: 'test.fail', input: {} },
  });

  test('reports progress, messages and its standard error', async () => {
    const { call, progress, logs } = await loadMcp(source, fixture(era));
    expect(await call('report')).toEqual({ type: 'value', value: 'reported' });
    expect(progress).toEqual([{ done: 1, total: 2, message: 'half' }]);
    expect(logs).toEqual([{ level: 'warn', text: 'disk: nearly full' }]);
    expect(source.logs?.('src_test').map(({ text }) => text)).toContainEqual(
      expect.stringContaining('ready with'),
    );
  });

  test('starts once for the load and all calls', async () => {
    const { call } = await loadMcp(source, fixture(era));
    await Promise.all([call('echo', { text: 'a' }), call('echo', { text: 'b' })]);
    expect(source.logs?.('src_test').filter(({ text }) => text.startsWith('Executor starts'))).toHaveLength(
      1,
    );
  });
});

test('A program gets only a few variables, and those of the user', async () => {
  process.env.EXECUTOR_TEST_SECRET = 'secret';
  await loadMcp(source, { ...fixture('legacy'), env: { MINE: 'x' } });
  const ready = source.logs?.('src_test').find(({ text }) => text.startsWith('ready with'))?.text ?? '';
  expect(ready).toContain('MINE');
  expect(ready).not.toContain('EXECUTOR');
  delete process.env.EXECUTOR_TEST_SECRET;
});

test('A program that does not exist, or that is no server, fails with its last lines', async () => {
  await expect(loadMcp(source, { command: '/no/such/program' })).rejects.toMatchObject({
    code: 'unusableDocument',
    message: expect.stringContaining('/no/such/program'),
  });
  await source.release?.('src_test');
  await expect(loadMcp(source, script('console.error("no licence"); process.exit(3)'))).rejects.toMatchObject(
    {
      message: expect.stringMatching(/no licence.*ended with code 3/s),
    },
  );
});

test('A program that cannot be found is named, with what to do', async () => {
  await expect(loadMcp(source, { command: 'no-such-program' })).rejects.toThrow(
    'There is no program no-such-program in the folders of PATH. Pass its name as in a shell, or its full path.',
  );
  await expect(loadMcp(source, { command: './server', cwd: tmpdir() })).rejects.toThrow(
    `There is no program ${join(tmpdir(), 'server')}.`,
  );
  await expect(loadMcp(source, { command: 'npx -y server' })).rejects.toThrow(
    'Pass its arguments separately, not in the same quotes.',
  );
  expect(source.logs?.('src_test')).toEqual([]);
});

test('The lines of a failed start name the error, without stack frames and earlier starts', async () => {
  const { message } = await loadMcp(source, { command: process.execPath, args: ['no-such-file.js'] }).then(
    () => ({ message: '' }),
    (error: Error) => error,
  );
  expect(message).toMatch(/Error: Cannot find module '.*no-such-file\.js'/);
  expect(message).not.toMatch(/ at |Executor starts/);
  expect(message.match(/Cannot find module/g)).toHaveLength(1);
});

test('A program that ends again and again is not started at once', async () => {
  const failing = script('process.exit(3)');
  for (let tries = 0; tries < 2; tries++) await expect(loadMcp(source, failing)).rejects.toThrow();
  await expect(loadMcp(source, failing)).rejects.toThrow(/ended \d+ times in a row/);
});

test('A program works at once after other settings of the source have failed', async () => {
  const failing = script('process.exit(3)');
  for (let tries = 0; tries < 2; tries++) await expect(loadMcp(source, failing)).rejects.toThrow();
  const { call } = await loadMcp(source, fixture('legacy'));
  expect(await call('echo', { text: 'works' })).toEqual({ type: 'value', value: 'works' });
});

test('A program that ends at a request before initialize gets another start', async () => {
  const code = `const { createInterface } = require('node:readline');
    createInterface({ input: process.stdin }).on('line', (line) => {
      const { id, method } = JSON.parse(line);
      const answer = (result) => console.log(JSON.stringify({ jsonrpc: '2.0', id, result }));
      if (method === 'server/discover') process.exit(1);
      if (method === 'initialize') answer({ protocolVersion: '2024-11-05', capabilities: { tools: {} }, serverInfo: { name: 'old', version: '1' } });
      if (method === 'tools/list') answer({ tools: [{ name: 'a', inputSchema: { type: 'object' } }] });
      if (method === 'tools/call') answer({ content: [{ type: 'text', text: 'old answer' }] });
    });`;
  const { call } = await loadMcp(source, script(code));
  expect(await call('a')).toEqual({ type: 'value', value: 'old answer' });
});

test('A program is started again after it crashed, and stopped when it is idle', async () => {
  source = createMcpSource({ http, idleMs: 200 });
  const { call } = await loadMcp(source, fixture('legacy'));
  const ends = () => source.logs?.('src_test').filter(({ text }) => text.includes('has ended')).length;
  await expect.poll(ends, { timeout: 20_000 }).toBe(1);
  expect(await call('echo', { text: 'again' })).toEqual({ type: 'value', value: 'again' });
  await expect.poll(ends, { timeout: 20_000 }).toBe(2);
});

test('Only a person may add a program', () => {
  expect(source.onlyForPeople?.(fixture('legacy'))).toMatch(/starts a program/);
  expect(source.onlyForPeople?.({ url: 'https://a.test/' })).toBeUndefined();
});

test('No process of a program outlives Executor, even if Executor is killed', async () => {
  const holder = spawn(process.execPath, [...tsx, file('hold.program.ts')], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = await once(createInterface({ input: holder.stdout }), 'line');
  const pids = String(line).split(' ').map(Number);
  expect(pids.map(isAlive)).toEqual([true, true]);
  holder.kill('SIGKILL');
  await expect.poll(() => pids.map(isAlive), { timeout: 20_000 }).toEqual([false, false]);
});

test('A program cannot read Executor’s folders where bubblewrap works', async ({ skip }) => {
  const confinement = await probeConfinement();
  if (confinement.kind !== 'bubblewrap') return skip();
  const folder = mkdtempSync(join(tmpdir(), 'executor-hidden-'));
  writeFileSync(join(folder, 'key'), 'a secret key');
  source = createMcpSource({
    http,
    confine: (program) => hidePaths(confinement, [folder, join(folder, 'key')], program),
  });
  const reading = script(
    `console.error(require('node:fs').readdirSync(${JSON.stringify(folder)}).length, 'files'); process.exit(1)`,
  );
  await expect(loadMcp(source, reading)).rejects.toThrow(/0 files/);
  rmSync(folder, { recursive: true });
});

describe('Servers that others wrote', () => {
  test('everything: its tools, resources and prompts', async () => {
    const { call, tools } = await loadMcp(source, {
      command: process.execPath,
      args: [package_('server-everything'), 'stdio'],
    });
    expect(tools.length).toBeGreaterThan(10);
    expect(await call('getSum', { a: 2, b: 3 })).toMatchObject({ value: expect.stringContaining('5') });
    expect(await call('resources.list')).toMatchObject({ value: { resources: expect.any(Array) } });
    expect(await call('prompts.list')).toMatchObject({ value: { prompts: expect.any(Array) } });
  });

  test('filesystem: reads and writes files of its folder', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'executor-files-'));
    const { call } = await loadMcp(source, {
      command: process.execPath,
      args: [package_('server-filesystem'), folder],
    });
    await call('write_file', { path: join(folder, 'a.txt'), content: 'hello' });
    expect(await call('read_text_file', { path: join(folder, 'a.txt') })).toMatchObject({ type: 'value' });
    expect(await call('read_text_file', { path: '/etc/passwd' })).toMatchObject({ type: 'error' });
    rmSync(folder, { recursive: true });
  });

  test('memory: keeps a graph in its file', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'executor-memory-'));
    const { call } = await loadMcp(source, {
      command: process.execPath,
      args: [package_('server-memory')],
      env: { MEMORY_FILE_PATH: join(folder, 'memory.jsonl') },
    });
    await call('create_entities', { entities: [{ name: 'Ada', entityType: 'person', observations: [] }] });
    expect(JSON.stringify(await call('read_graph'))).toContain('Ada');
    rmSync(folder, { recursive: true });
  });
});

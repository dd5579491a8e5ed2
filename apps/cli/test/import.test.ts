import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { TestHome } from './home.ts';

/* A server that speaks as little MCP as Executor needs. It fails without its key. */
const program = `
const answers = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'weather', version: '1' },
  }),
  'tools/list': () => ({ tools: [{ name: 'forecast', inputSchema: { type: 'object' } }] }),
};
if (process.env.WEATHER_KEY !== 'import-secret-1') process.exit(1);
require('readline').createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) return;
  const result = answers[method]?.(params);
  const answer = result ? { result } : { error: { code: -32601, message: 'unknown' } };
  console.log(JSON.stringify({ jsonrpc: '2.0', id, ...answer }));
});`;

let home: TestHome;
let user: string;
let file: string;
let text: string;
beforeAll(async () => {
  home = new TestHome();
  // Programs cannot see Executor's own folder.
  user = mkdtempSync(join(tmpdir(), 'import-'));
  home.env.HOME = user;
  mkdirSync(join(user, '.cursor'), { recursive: true });
  writeFileSync(join(user, 'weather.cjs'), program);
  const weather = {
    command: process.execPath,
    args: [join(user, 'weather.cjs')],
    env: { WEATHER_KEY: 'import-secret-1' },
  };
  const gone = { url: 'http://127.0.0.1:9/mcp', headers: { 'X-Key': 'import-secret-2' } };
  text = `// mine\n${JSON.stringify({ mcpServers: { 'my weather': weather, gone } })}`;
  file = join(user, '.cursor', 'mcp.json');
  writeFileSync(file, text);
  await home.json('up');
});
afterAll(async () => {
  await home[Symbol.asyncDispose]();
  rmSync(user, { recursive: true, force: true });
});

test('import shows the servers of agent programs, adds them, and changes no file', async () => {
  const preview = await home.run(['sources', 'import', '--dry-run']);
  expect(preview.code).toBe(0);
  expect(preview.stdout).toMatch(/my weather +.*weather\.cjs +WEATHER_KEY +Cursor +new/);
  const unsure = await home.run(['sources', 'import']);
  expect([unsure.code, unsure.stderr]).toEqual([
    2,
    expect.stringContaining('Pass --yes to add the new ones'),
  ]);
  expect((await home.client.sources.list()).items).toEqual([]);

  const { code, stdout, stderr } = await home.run([
    'sources',
    'import',
    '--yes',
    '--json',
    '--from',
    'cursor',
  ]);
  expect(code).toBe(1);
  expect(JSON.parse(stdout).items).toMatchObject([
    { name: 'my weather', status: 'added', namespace: 'myWeather', from: ['Cursor'] },
    { name: 'gone', status: 'failed', problem: expect.stringContaining('127.0.0.1') },
  ]);
  const source = await home.json('sources', 'show', 'myWeather');
  expect(source).toMatchObject({ kind: 'mcp', toolCount: 1, settings: { env: { WEATHER_KEY: '…' } } });
  const outputs = [preview.stdout, unsure.stdout, stdout, stderr, JSON.stringify(source)].join();
  expect(outputs).not.toContain('import-secret');
  expect(readFileSync(file, 'utf8')).toBe(text);

  const again = await home.json('sources', 'import', '--dry-run');
  expect(again.items[0]).toMatchObject({ status: 'connected', namespace: 'myWeather' });
});

test('a program without servers has nothing to import', async () => {
  const { code, stdout } = await home.run(['sources', 'import', '--yes', '--from', 'zed']);
  expect([code, stdout]).toEqual([0, 'No agent program on this machine has MCP servers.\n']);
});

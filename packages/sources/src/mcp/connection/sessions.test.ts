import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { fileURLToPath } from 'node:url';
import type { Source } from '@executor/engine';
import { afterAll, afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { type McpTestServer, startMcpServer } from '../../../test/mcp/http-servers.ts';
import { loadMcp } from '../../../test/mcp/loaded-source.ts';
import { createHttpClient } from '../../http/create-http-client.ts';
import { createMcpSource } from '../mcp-source.ts';

const http = createHttpClient();
afterAll(() => http.close());

let source: Source;
beforeEach(() => {
  source = createMcpSource({ http });
});
afterEach(() => source.close?.());

async function serve(era: 'legacy' | 'modern', options: { bearer?: string } = {}): Promise<McpTestServer> {
  const server = await startMcpServer(era, options);
  onTestFinished(() => server.close());
  return server;
}

const settingsOf = ({ url }: { url: string }) => ({ url, allowPrivateNetwork: true });
const bearer = (token: string) => ({ headers: { Authorization: `Bearer ${token}` } });

describe('A session', () => {
  test('is shared by the load and all calls', async () => {
    const server = await serve('legacy');
    const { call } = await loadMcp(source, settingsOf(server));
    await Promise.all(Array.from({ length: 10 }, () => call('echo', { text: 'x' })));
    expect(server.sessions.size).toBe(1);
    expect(server.requests.filter(({ body }) => body.includes('"initialize"'))).toHaveLength(1);
  });

  test('is opened again when the server has forgotten it, and the call is sent once', async () => {
    const server = await serve('legacy');
    const { call } = await loadMcp(source, settingsOf(server));
    await call('echo', { text: 'a' });
    server.forget();
    expect(await call('echo', { text: 'b' })).toEqual({ type: 'value', value: 'b' });
    expect(server.state.calls).toHaveLength(2);
    expect(server.sessions.size).toBe(1);
  });

  test('is not shared by other credentials', async () => {
    const server = await serve('legacy');
    const { call } = await loadMcp(source, settingsOf(server), { auth: bearer('a') });
    await call('echo', { text: 'x' }, { auth: bearer('b') });
    await call('echo', { text: 'x' }, { auth: bearer('b') });
    expect(server.sessions.size).toBe(2);
  });

  test('ends when it is released or idle, and the server is notified', async () => {
    const server = await serve('legacy');
    const { call } = await loadMcp(source, settingsOf(server));
    await source.release?.('src_test');
    await expect.poll(() => server.ended.length).toBe(1);
    expect(await call('echo', { text: 'x' })).toMatchObject({ value: 'x' });
    const brief = createMcpSource({ http, idleMs: 50 });
    await loadMcp(brief, settingsOf(server));
    await expect.poll(() => server.ended.length).toBe(2);
    await brief.close?.();
  });

  test('may finish its calls after it was released', async () => {
    const server = await serve('legacy');
    const { call } = await loadMcp(source, settingsOf(server));
    let submit = (_name: string) => {};
    const asking = new Promise<string>((resolve) => {
      submit = resolve;
    });
    let isAsked = false;
    const called = call(
      'greet',
      {},
      {
        ask: async () => {
          isAsked = true;
          return { type: 'submitted', data: { name: await asking } };
        },
      },
    );
    await expect.poll(() => isAsked).toBe(true);
    await source.release?.('src_test');
    submit('Ada');
    expect(await called).toEqual({ type: 'value', value: 'accept Ada' });
    await expect.poll(() => server.sessions.size).toBe(0);
  });
});

describe('Credentials', () => {
  test.each(['legacy', 'modern'] as const)('are sent to a %s server with each request', async (era) => {
    const server = await serve(era, { bearer: 'right' });
    const settings = { ...settingsOf(server), headers: { 'x-team': 'blue' } };
    await expect(loadMcp(source, settings)).rejects.toMatchObject({
      code: 'unusableDocument',
      message: expect.stringContaining('requires credentials'),
      details: { status: 401 },
    });
    await source.release?.('src_test');
    const { call, find } = await loadMcp(source, settings, { auth: bearer('right') });
    expect(await call('echo', { text: 'x' })).toMatchObject({ value: 'x' });
    expect(server.requests.at(-1)?.headers).toMatchObject({ 'x-team': 'blue', 'user-agent': 'executor' });
    expect(await call('echo', { text: 'x' }, { auth: bearer('wrong') })).toMatchObject({
      type: 'error',
      details: { code: 'unauthorized', status: 401 },
    });
    expect(source.preview({ tool: find('test.echo'), input: { text: 'x' }, settings })).toEqual({
      url: server.url,
      headers: { 'x-team': 'blue' },
      method: 'tools/call',
      params: { name: 'echo', arguments: { text: 'x' } },
    });
  });
});

describe('A private address', () => {
  test('is refused for a source that may not reach it, before and during a call', async () => {
    const server = await serve('modern');
    const { call, find } = await loadMcp(source, settingsOf(server));
    const settings = { url: server.url };
    const context = { workspaceId: 'ws', hasArtifact: async () => false };
    const input = { text: 'x' };
    expect(await source.check?.({ tool: find('test.echo'), input, settings }, context)).toMatchObject({
      details: { code: 'privateAddress' },
    });
    expect(await call('echo', input, { settings })).toMatchObject({ details: { code: 'privateAddress' } });
    expect(server.state.calls).toEqual([]);
  });
});

describe('A change of the lists', () => {
  test.each(['legacy', 'modern'] as const)('that a %s server announces is reported', async (era) => {
    const server = await serve(era);
    const changed: string[] = [];
    source.onChange?.((sourceId) => changed.push(sourceId));
    await loadMcp(source, settingsOf(server));
    const listens = () =>
      server.requests.some(({ method, body }) => method === 'GET' || body.includes('subscriptions/listen'));
    await expect.poll(listens).toBe(true);
    await expect
      .poll(
        async () => {
          await server.announce();
          return changed.length;
        },
        { timeout: 20_000 },
      )
      .toBeGreaterThan(0);
    expect(changed[0]).toBe('src_test');
  });

  test('keeps the paths of known tools', async () => {
    const server = await serve('legacy');
    server.state.more.push({ name: 'do-it', inputSchema: { type: 'object' } });
    const { tools } = await loadMcp(source, settingsOf(server));
    server.state.more.unshift({ name: 'doIt', inputSchema: { type: 'object' } });
    const after = await loadMcp(source, settingsOf(server), { previous: tools });
    const pathOf = (name: string) => after.tools.find(({ origin }) => origin.name === name)?.path;
    expect([pathOf('do-it'), pathOf('doIt')]).toEqual(['test.doIt', 'test.doIt2']);
  });
});

describe('The server “everything”', () => {
  const program = fileURLToPath(
    new URL(
      '../../../../../node_modules/@modelcontextprotocol/server-everything/dist/index.js',
      import.meta.url,
    ),
  );

  async function start(mode: 'streamableHttp' | 'sse'): Promise<{ url: string; child: ChildProcess }> {
    const port = await freePort();
    const child = spawn(process.execPath, [program, mode], {
      env: { ...process.env, PORT: String(port) },
      stdio: 'ignore',
    });
    onTestFinished(async () => {
      child.kill('SIGKILL');
      await once(child, 'exit');
    });
    const url = `http://127.0.0.1:${port}/${mode === 'sse' ? 'sse' : 'mcp'}`;
    const isUp = () =>
      fetch(`http://127.0.0.1:${port}/nothing`).then(
        () => true,
        () => false,
      );
    await expect.poll(isUp, { timeout: 30_000 }).toBe(true);
    return { url, child };
  }

  test.each(['streamableHttp', 'sse'] as const)('works over %s, which is detected', async (mode) => {
    const { url } = await start(mode);
    const { call, tools } = await loadMcp(source, { url, allowPrivateNetwork: true });
    expect(tools.length).toBeGreaterThan(10);
    expect(await call('echo', { message: 'hi' })).toMatchObject({
      type: 'value',
      value: expect.stringContaining('hi'),
    });
    expect(await call('getTinyImage')).toMatchObject({
      type: 'value',
      value: expect.arrayContaining([expect.objectContaining({ type: 'artifact' })]),
    });
  });

  test('is reached only as the settings say', async () => {
    const { url } = await start('sse');
    await expect(
      loadMcp(source, { url, transport: 'http', allowPrivateNetwork: true }),
    ).rejects.toMatchObject({
      code: 'unusableDocument',
    });
    await source.release?.('src_test');
    await loadMcp(source, { url, transport: 'sse', allowPrivateNetwork: true });
  });
});

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

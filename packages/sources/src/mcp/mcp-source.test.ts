import type { Source } from '@executor/engine';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { describeSource } from '../../../engine/src/ports/source.suite.ts';
import { type McpTestServer, startMcpServer } from '../../test/mcp/http-servers.ts';
import { loadMcp } from '../../test/mcp/loaded-source.ts';
import { createHttpClient } from '../http/create-http-client.ts';
import type { HttpClient } from '../http/http-client.ts';
import { createMcpSource } from './mcp-source.ts';

/* Servers of both eras, built with the SDK, over HTTP on loopback. */

let http: HttpClient;
beforeAll(() => {
  http = createHttpClient();
});
afterAll(() => http.close());

describe.each(['legacy', 'modern'] as const)('A %s server', (era) => {
  let server: McpTestServer;
  let source: Source;
  let settings: { url: string; allowPrivateNetwork: true };

  beforeAll(async () => {
    server = await startMcpServer(era);
    settings = { url: server.url, allowPrivateNetwork: true };
    source = createMcpSource({ http });
  });
  afterAll(async () => {
    await source.close?.();
    await server.close();
  });
  beforeEach(() => {
    server.state.calls.length = 0;
    server.state.aborted.length = 0;
  });

  const settingsOf = () => settings;
  describeSource(`mcp, ${era}`, {
    open: async () => source,
    namespace: 'test',
    get settings() {
      return settingsOf();
    },
    works: { path: 'test.echo', input: { text: 'hi' } },
    refused: { path: 'test.fail', input: {} },
    endless: { path: 'test.endless', input: {} },
  });

  test('is read with all pages, its title and its instructions', async () => {
    const { loaded, tools } = await loadMcp(source, settings);
    expect(loaded).toMatchObject({
      title: 'The Fixture',
      description: 'Say hello first.',
      baseUrl: server.url,
    });
    expect(tools.map(({ path }) => path)).toEqual(
      expect.arrayContaining([
        'test.echo',
        'test.getJson',
        'test.think',
        'test.resources.list',
        'test.prompts.get',
      ]),
    );
  });

  test('returns structured content, parsed JSON, text, and null for nothing', async () => {
    const { call } = await loadMcp(source, settings);
    expect(await call('sum', { a: 1, b: 2 })).toEqual({ type: 'value', value: { sum: 3 } });
    expect(await call('getJson')).toEqual({ type: 'value', value: { a: [1, 2] } });
    expect(await call('echo', { text: '42' })).toEqual({ type: 'value', value: '42' });
    expect(await call('nothing')).toEqual({ type: 'value', value: null });
    expect(server.state.calls[0]).toEqual({ name: 'sum', arguments: { a: 1, b: 2 } });
  });

  test('returns all parts, bytes as artifacts', async () => {
    const { call, artifacts } = await loadMcp(source, settings);
    expect(await call('parts')).toMatchObject({
      type: 'value',
      value: [
        'one',
        { type: 'artifact', id: 'art_1', mediaType: 'image/png' },
        { type: 'artifact', id: 'art_2', mediaType: 'audio/wav' },
        { uri: 'test://a', text: 'inside' },
        { type: 'resource_link', uri: 'test://b', name: 'b' },
      ],
    });
    expect(Buffer.from(artifacts[0]?.bytes ?? []).toString()).toBe('a picture');
    expect(await call('chart')).toMatchObject({ value: { points: 1, $content: [{ type: 'artifact' }] } });
  });

  test('fails with its own words', async () => {
    const { call } = await loadMcp(source, settings);
    expect(await call('fail')).toEqual({
      type: 'error',
      message: 'It does not work.',
      details: { code: 'toolError' },
    });
  });

  test('reports progress and messages about the call', async () => {
    const { call, progress, logs } = await loadMcp(source, settings);
    expect(await call('report')).toEqual({ type: 'value', value: 'reported' });
    expect(progress).toEqual([{ done: 1, total: 2, message: 'half' }]);
    expect(logs).toEqual([{ level: 'warn', text: 'disk: nearly full' }]);
  });

  test('hears when a call is cancelled', async () => {
    const { call } = await loadMcp(source, settings);
    const end = new AbortController();
    const ended = call('endless', {}, { signal: end.signal }).catch(() => 'ended');
    await expect.poll(() => server.state.calls.length).toBe(1);
    end.abort();
    expect(await ended).toBe('ended');
    await expect.poll(() => server.state.aborted).toEqual(['endless']);
  });

  test('lists and reads its resources and prompts', async () => {
    const { call } = await loadMcp(source, settings);
    expect(await call('resources.list')).toMatchObject({
      value: { resources: [{ uri: 'test://a' }], templates: [{ uriTemplate: 'test://{id}' }] },
    });
    expect(await call('resources.read', { uri: 'test://a' })).toMatchObject({ value: { text: 'inside' } });
    expect(await call('resources.read', { uri: 'test://b' })).toMatchObject({
      value: { type: 'artifact', uri: 'test://b' },
    });
    expect(await call('prompts.list')).toMatchObject({ value: { prompts: [{ name: 'hello' }] } });
    expect(await call('prompts.get', { name: 'hello', arguments: { who: 'Ada' } })).toMatchObject({
      value: { description: 'A greeting', messages: [{ role: 'user', content: 'Hello Ada' }] },
    });
  });
});

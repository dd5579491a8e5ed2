import type { Source } from '@executor/engine';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type McpTestServer, startMcpServer } from '../../../test/mcp/http-servers.ts';
import { loadMcp } from '../../../test/mcp/loaded-source.ts';
import { createHttpClient } from '../../http/create-http-client.ts';
import { createMcpSource } from '../mcp-source.ts';

const http = createHttpClient();
afterAll(() => http.close());

async function start(era: 'legacy' | 'modern') {
  const server = await startMcpServer(era);
  const source = createMcpSource({ http });
  return { server, source, settings: { url: server.url, allowPrivateNetwork: true } };
}

describe('A server with sessions', () => {
  let server: McpTestServer;
  let source: Source;
  let settings: { url: string; allowPrivateNetwork: boolean };
  beforeAll(async () => {
    ({ server, source, settings } = await start('legacy'));
  });
  afterAll(async () => {
    await source.close?.();
    await server.close();
  });

  test('asks in the middle of a call', async () => {
    const { call, questions, answers } = await loadMcp(source, settings);
    answers.push({ type: 'submitted', data: { name: 'Ada' } });
    expect(await call('greet')).toEqual({ type: 'value', value: 'accept Ada' });
    expect(questions).toEqual([
      {
        kind: 'elicitation',
        prompt: 'Who are you?',
        request: { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] },
      },
    ]);
    answers.push({ type: 'cancelled' }, { type: 'expired' });
    expect(await call('greet')).toEqual({ type: 'value', value: 'decline' });
    expect(await call('greet')).toEqual({ type: 'value', value: 'cancel' });
  });

  test('asks only a run that is certainly the right one, with several calls in flight', async () => {
    const { call } = await loadMcp(source, settings);
    const as = (executionId: string) => ({
      call: { workspaceId: 'ws', executionId, index: 0, attempt: 1, id: `${executionId}.0` },
      ask: async () => ({ type: 'submitted' as const, data: { name: executionId } }),
    });
    const accepted = { type: 'value', value: 'accept one' };
    expect(await Promise.all([call('greet', {}, as('one')), call('greet', {}, as('one'))])).toEqual([
      accepted,
      accepted,
    ]);
    const end = new AbortController();
    const other = call('endless', {}, { ...as('two'), signal: end.signal }).catch(() => {});
    await expect.poll(() => server.state.calls.at(-1)?.name).toBe('endless');
    // This server asks on a stream that belongs to no call.
    expect(await call('greet', {}, as('one'))).toMatchObject({
      type: 'error',
      message: expect.stringContaining('which run'),
    });
    end.abort();
    await other;
  });

  test('asks to open a page', async () => {
    const { call, questions, answers } = await loadMcp(source, settings);
    answers.push({ type: 'submitted', data: {} });
    expect(await call('visit')).toEqual({ type: 'value', value: 'accept' });
    expect(questions[0]).toMatchObject({
      prompt: 'Open the page',
      request: { url: 'https://pages.test/open' },
    });
  });

  test('cannot let a model think for it', async () => {
    const { call } = await loadMcp(source, settings);
    expect(JSON.stringify(await call('think'))).toMatch(/sampling|support/i);
  });
});

describe('A stateless server', () => {
  let server: McpTestServer;
  let source: Source;
  let settings: { url: string; allowPrivateNetwork: boolean };
  beforeAll(async () => {
    ({ server, source, settings } = await start('modern'));
  });
  afterAll(async () => {
    await source.close?.();
    await server.close();
  });

  test('suspends a call with a question, which another process continues', async () => {
    const { call } = await loadMcp(source, settings);
    const asked = await call('greet');
    expect(asked).toMatchObject({
      type: 'question',
      question: {
        kind: 'elicitation',
        prompt: 'Who are you?',
        request: { properties: { name: { type: 'string' } } },
      },
    });
    if (asked.type !== 'question') throw new Error('not asked');
    const state = JSON.parse(JSON.stringify(asked.state));
    const other = createMcpSource({ http });
    const { call: callThere } = await loadMcp(other, settings);
    const answer = { type: 'submitted' as const, data: { name: 'Ada' } };
    expect(await callThere('greet', {}, { resumed: { state, answer } })).toEqual({
      type: 'value',
      value: 'accept Ada kept by the client',
    });
    expect(await callThere('greet', {}, { resumed: { state, answer: { type: 'cancelled' } } })).toEqual({
      type: 'value',
      value: { action: 'decline' },
    });
    await other.close?.();
  });

  test('asks to open a page', async () => {
    const { call } = await loadMcp(source, settings);
    const asked = await call('visit');
    expect(asked).toMatchObject({ question: { request: { url: 'https://pages.test/open' } } });
    if (asked.type !== 'question') throw new Error('not asked');
    const answer = { type: 'submitted' as const, data: {} };
    expect(await call('visit', {}, { resumed: { state: asked.state, answer } })).toEqual({
      type: 'value',
      value: 'visited',
    });
  });

  test('cannot let a model think for it', async () => {
    const { call } = await loadMcp(source, settings);
    expect(await call('think')).toMatchObject({
      type: 'error',
      message: expect.stringContaining('sampling'),
    });
  });
});

import type { Source } from '@executor/engine';
import { afterAll, afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { loadMcp } from '../../test/mcp/loaded-source.ts';
import { type RawExchange, startRawServer, textResult } from '../../test/mcp/raw-server.ts';
import { createHttpClient } from '../http/create-http-client.ts';
import { createMcpSource } from './mcp-source.ts';

/* A server that attacks everyone who connects to it. */

const http = createHttpClient();
afterAll(() => http.close());

let source: Source;
beforeEach(() => {
  source = createMcpSource({ http });
});
afterEach(() => source.close?.());

async function load(behaviours: Record<string, (exchange: RawExchange) => unknown>) {
  const server = await startRawServer(behaviours);
  onTestFinished(() => server.close());
  const settings = { url: server.url, allowPrivateNetwork: true };
  return { server, settings, ...(await loadMcp(source, settings)) };
}

const object = { type: 'object' };

describe('The answer of a hostile server', () => {
  test('may never arrive: the call ends with its signal', async () => {
    const { call, server } = await load({ 'tools/call': () => {} });
    const end = new AbortController();
    const ended = call('act', {}, { signal: end.signal }).catch(() => 'ended');
    await expect.poll(() => server.received.some(({ method }) => method === 'tools/call')).toBe(true);
    end.abort();
    expect(await ended).toBe('ended');
  });

  test('counts once, and answers to other requests are ignored', async () => {
    const { call } = await load({
      'tools/call': ({ send, message, response }) => {
        send({ id: 999_999, result: textResult('of another request') });
        send({ id: 'text', result: textResult('of another request') });
        send({ id: message.id as number, result: textResult('first') });
        send({ id: message.id as number, result: textResult('second') });
        response.end();
      },
    });
    expect(await call('act')).toEqual({ type: 'value', value: 'first' });
    expect(await call('act')).toEqual({ type: 'value', value: 'first' });
  });

  test('is an error if the stream ends before it, and a write is not sent again', async () => {
    const { call, server } = await load({
      'tools/call': ({ send, response }) => {
        send({ method: 'notifications/message', params: { level: 'info', data: 'working' } });
        response.end();
      },
    });
    expect(await call('act')).toMatchObject({
      type: 'error',
      message: expect.stringMatching(/closed the connection.*not known whether/),
    });
    expect(server.received.filter(({ method }) => method === 'tools/call')).toHaveLength(1);
  });

  test('is an error if the connection breaks', async () => {
    const { call } = await load({
      'tools/call': ({ send, response }) => {
        send({ method: 'notifications/message', params: { level: 'info', data: 'working' } });
        setImmediate(() => response.destroy());
      },
    });
    expect(await call('act')).toMatchObject({
      type: 'error',
      message: expect.stringContaining('not known whether'),
    });
  });

  test.each([
    ['is not JSON', '{"jsonrpc":', 'application/json'],
    ['is a page', '<html>', 'text/html'],
    ['is no message', '[1,2]', 'application/json'],
  ])('is an error if it %s', async (_, body, type) => {
    const { call } = await load({
      'tools/call': ({ response }) => response.writeHead(200, { 'content-type': type }).end(body),
    });
    expect(await call('act')).toMatchObject({ type: 'error' });
  });

  test('is cut at the limit, as JSON and as one endless event', async () => {
    for (const type of ['application/json', 'text/event-stream']) {
      const { call } = await load({
        'tools/call': ({ response }) => {
          response.writeHead(200, { 'content-type': type });
          response.write('data: {"jsonrpc":"2.0","id":1,"result":"');
          const send = () => {
            while (!response.destroyed && response.write('x'.repeat(256 * 1024)));
          };
          response.on('drain', send);
          send();
        },
      });
      expect(await call('act')).toMatchObject({ type: 'error', details: { code: 'answerTooLarge' } });
      await source.release?.('src_test');
    }
  });

  test('arrives in spite of a flood of messages and progress', async () => {
    const { call, logs, progress } = await load({
      'tools/call': ({ send, message, response }) => {
        for (let count = 0; count < 5_000; count++) {
          send({
            method: 'notifications/message',
            params: { level: 'info', data: { count, text: 'x'.repeat(100) } },
          });
          send({
            method: 'notifications/progress',
            params: { progressToken: message.params?._meta?.progressToken, progress: count },
          });
        }
        send({ method: 'notifications/message', params: { level: 'error', data: 'y'.repeat(100_000) } });
        send({ id: message.id as number, result: textResult('done') });
        response.end();
      },
    });
    expect(await call('act')).toEqual({ type: 'value', value: 'done' });
    // The engine keeps only some of them, so here they only must be short.
    expect(logs.length + progress.length).toBeGreaterThan(0);
    for (const { text } of logs) expect(text.length).toBeLessThanOrEqual(1_001);
  });
});

describe('The HTTP status of a server', () => {
  test.each([
    [401, 'was refused with 401', 'unauthorized'],
    [500, 'not known whether', 'connectionFailed'],
  ])('%s for a call is an error', async (status, words, code) => {
    const { call } = await load({ 'tools/call': ({ response }) => response.writeHead(status).end('no') });
    expect(await call('act')).toMatchObject({
      type: 'error',
      message: expect.stringContaining(words),
      details: { code, status },
    });
  });

  test('404 for its own stream of messages does not end the session', async () => {
    const { call, server } = await load({
      GET: ({ response }) => response.writeHead(404).end(),
      'tools/call': ({ answer }) => answer(textResult('done')),
    });
    for (let count = 0; count < 3; count++) expect(await call('act')).toMatchObject({ value: 'done' });
    expect(server.received.filter(({ method }) => method === 'initialize')).toHaveLength(1);
  });
});

describe('The questions of a hostile server', () => {
  const asking = (params: object, method = 'elicitation/create') => ({
    'tools/call': ({ send }: RawExchange) => {
      send({ id: 'question', method, params });
    },
    // The answer arrives in a request of its own.
    answer: ({ response }: RawExchange) => response.writeHead(202).end(),
  });

  test('on the stream of a call are asked in the run of that call only', async () => {
    const opened: RawExchange[] = [];
    const { call, server } = await load({
      'tools/call': (exchange) => {
        opened.push(exchange);
        const { executionId } = exchange.message.params?.arguments ?? {};
        exchange.send({
          id: `q-${executionId}`,
          method: 'elicitation/create',
          params: { message: `for ${executionId}`, requestedSchema: { ...object, properties: {} } },
        });
      },
      answer({ message, response }) {
        response.writeHead(202).end();
        const exchange = opened.find(
          ({ message: { params } }) => message.id === `q-${params?.arguments?.executionId}`,
        );
        exchange?.send({
          id: exchange.message.id as number,
          result: textResult(JSON.stringify(message.result)),
        });
        exchange?.response.end();
      },
    });
    const prompts: string[] = [];
    const as = (executionId: string) =>
      call(
        'act',
        { executionId },
        {
          call: { workspaceId: 'ws', executionId, index: 0, attempt: 1, id: `${executionId}.0` },
          ask: async ({ prompt }) => {
            prompts.push(`${executionId}: ${prompt}`);
            await expect.poll(() => opened.length).toBe(2);
            return { type: 'submitted', data: { run: executionId } };
          },
        },
      );
    expect(await Promise.all([as('one'), as('two')])).toMatchObject([
      { value: { action: 'accept', content: { run: 'one' } } },
      { value: { action: 'accept', content: { run: 'two' } } },
    ]);
    expect(prompts.toSorted()).toEqual(['one: for one', 'two: for two']);
    expect(server.received.some(({ error }) => error !== undefined)).toBe(false);
  });

  test.each([
    [
      'a page that is a script',
      { mode: 'url', message: 'x', url: 'javascript:alert(1)', elicitationId: '1' },
    ],
    [
      'a form that is too large',
      {
        message: 'x',
        requestedSchema: {
          ...object,
          properties: { a: { type: 'string', description: 'x'.repeat(70_000) } },
        },
      },
    ],
  ])('are refused for %s', async (_, params) => {
    const { call, server, questions } = await load(asking(params));
    const end = new AbortController();
    const called = call('act', {}, { signal: end.signal }).catch(() => {});
    await expect.poll(() => server.received.find(({ id }) => id === 'question')?.error).toBeDefined();
    expect(questions).toEqual([]);
    end.abort();
    await called;
  });

  test.each(['sampling/createMessage', 'roots/list'])(
    'are refused for %s, with the reason',
    async (method) => {
      const { call, server } = await load(asking({}, method));
      const end = new AbortController();
      const called = call('act', {}, { signal: end.signal }).catch(() => {});
      const refusal = () => server.received.find(({ id }) => id === 'question')?.error;
      await expect
        .poll(refusal)
        .toMatchObject({ code: -32_601, message: expect.stringContaining('refuses') });
      end.abort();
      await called;
    },
  );
});

describe('The addresses of a hostile server', () => {
  test('get no credentials: redirects are not followed', async () => {
    let arrived = 0;
    const other = await startRawServer({ 'tools/call': () => void arrived++ });
    onTestFinished(() => other.close());
    const { call } = await load({
      'tools/call': ({ response }) => response.writeHead(307, { location: other.url }).end(),
    });
    expect(await call('act', {}, { auth: { headers: { authorization: 'secret' } } })).toMatchObject({
      type: 'error',
    });
    expect(arrived).toBe(0);
    expect(other.received).toEqual([]);
  });
});

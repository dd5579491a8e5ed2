import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createKey } from '../../../../packages/server/test/mcp-client.ts';
import { startTestServer, type TestServer } from '../../../../packages/server/test/server.ts';
import { Bridge } from './bridge.ts';

/** A bridge and the messages that it writes. */
function bridgeTo(url: string, key: string) {
  const written: Written[] = [];
  const bridge = new Bridge({
    server: { access: async () => ({ url, key }), lost: () => {}, refused: () => false },
    write: (message) => written.push(message as Written),
  });
  return { bridge, written, take: (line: unknown) => bridge.take(JSON.stringify(line)) };
}

interface Written {
  id?: unknown;
  result?: { content?: { text: string }[] };
  error?: { code: number; message: string };
}

const ping = (id: unknown) => ({ jsonrpc: '2.0', id, method: 'ping' });
const execute = (id: number, code: string) => ({
  ...{ jsonrpc: '2.0', id, method: 'tools/call' },
  params: { name: 'execute', arguments: { code } },
});

test('Each request of a batch is answered once, also if the client disconnects early', async () => {
  const server = createServer((_, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write('data: {"jsonrpc":"2.0","id":1,"result":{}}\n\n');
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const { bridge, written, take } = bridgeTo(url, 'k');
  take([ping(1), ping(2)]);
  await expect.poll(() => written).toHaveLength(1);
  bridge.leave();
  await bridge.settled();
  bridge.leave();
  expect(written).toMatchObject([
    { id: 1, result: {} },
    { id: 2, error: { message: expect.stringContaining('not answered') } },
  ]);
  server.closeAllConnections();
  server.close();
});

describe('A bridge to a server', () => {
  let server: TestServer;
  let key: string;
  beforeAll(async () => {
    server = await startTestServer();
    key = await createKey(server);
  });
  afterAll(async () => server[Symbol.asyncDispose]());

  /** The messages for these lines, in the order of the ids. */
  async function answersTo(...lines: string[]): Promise<Written[]> {
    const { bridge, written } = bridgeTo(server.url, key);
    for (const line of lines) bridge.take(line);
    await bridge.settled();
    return written.toSorted((one, other) => Number(one.id) - Number(other.id));
  }

  test('answers an invalid line once and ignores an empty one', async () => {
    const invalidLines = [
      '{',
      '7',
      'null',
      '[]',
      '{}',
      '"ping"',
      JSON.stringify(ping({})),
      JSON.stringify(ping(null)),
    ];
    for (const line of invalidLines) {
      const code = line === '{' ? -32_700 : -32_600;
      expect([line, await answersTo(line)]).toEqual([
        line,
        [{ jsonrpc: '2.0', id: null, error: expect.objectContaining({ code }) }],
      ]);
    }
    expect(await answersTo('', '  ', '\r')).toEqual([]);
    const answers = await answersTo(JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' }));
    expect(answers).toEqual([]);
  });

  test('answers each request of a batch once, also if the batch has invalid parts or is rejected', async () => {
    const mixed = await answersTo(
      JSON.stringify([ping(1), 7, execute(2, 'return 2'), { method: 7 }, ping(3)]),
    );
    expect(mixed.map(({ id, error }) => error?.code ?? id)).toEqual([-32_600, -32_600, 1, 2, 3]);
    for (const refused of [
      [ping(1), { jsonrpc: '1.0', id: 2, method: 'ping' }],
      Array.from({ length: 51 }, (_, id) => ping(id)),
    ]) {
      const answers = await answersTo(JSON.stringify(refused));
      expect(answers.map(({ id }) => id)).toEqual(refused.map(({ id }) => id));
    }
  });

  test('answers a line above the size limit with an error, and forwards the next lines', async () => {
    const large = JSON.stringify(execute(1, `return "${'x'.repeat(9_000_000)}"`));
    const [first, second] = await answersTo(large, JSON.stringify(ping(2)));
    expect(first).toMatchObject({ id: 1, error: { message: expect.stringMatching(/large|bytes|MB|MiB/) } });
    expect(second).toMatchObject({ id: 2, result: {} });
  });

  test('gives two clients with the same request ids their own answers and cancellations', async () => {
    const [one, other] = [bridgeTo(server.url, key), bridgeTo(server.url, key)];
    const held: AbortSignal[] = [];
    let answer = () => {};
    const answered = new Promise<void>((resolve) => {
      answer = resolve;
    });
    server.notes.instead.set('notes.list', async (_, signal) => {
      held.push(signal);
      await answered;
      return { type: 'value', value: [] };
    });
    one.take(execute(1, 'await tools.notes.list({}); return "never"'));
    other.take(execute(1, 'await tools.notes.list({}); return "kept"'));
    await expect.poll(() => held).toHaveLength(2);
    one.take({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } });
    await one.bridge.settled();
    expect(held.some(({ aborted }) => aborted)).toBe(false);
    answer();
    await other.bridge.settled();
    server.notes.instead.delete('notes.list');
    expect(one.written).toEqual([]);
    expect(other.written).toMatchObject([{ id: 1, result: { content: [{ text: '"kept"' }] } }]);
  });

  test('lets a run continue if its client disconnects during a call', async () => {
    const { bridge, written, take } = bridgeTo(server.url, key);
    take(execute(1, 'await tools.notes.list({}); await sleep(500); return "went on"'));
    const owner = { kind: 'person', credential: 'localToken', ...server.engine.installation.owner } as const;
    const find = async () => (await server.engine.executions.list(owner, { limit: 1 })).items[0];
    await expect.poll(async () => (await find())?.codeExcerpt).toContain('went on');
    bridge.leave();
    await bridge.settled();
    expect(written).toMatchObject([{ id: 1, error: { message: expect.stringContaining('not answered') } }]);
    await expect.poll(async () => (await find())?.status).toBe('completed');
  });
});

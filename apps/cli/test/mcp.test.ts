import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { type CallToolResult, Client, type ElicitResult, type Transport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { connectMcp } from '../../../packages/server/test/mcp-client.ts';
import { BridgeTransport } from './bridge-transport.ts';
import { program } from './built-program.ts';
import { TestHome } from './home.ts';
import type { Outcome } from './running-command.ts';

let home: TestHome;
beforeAll(() => {
  home = new TestHome();
});
afterAll(async () => home[Symbol.asyncDispose]());

const eras = ['legacy', 'auto'] as const;

const waiting = { timeout: 60_000, interval: 50 };

interface ConnectOptions {
  env?: Record<string, string>;
  /** Answers the dialogs. Without it the client has none. */
  user?: (message: string, signal: AbortSignal) => Promise<ElicitResult>;
  transport?: Transport;
}

/** A client of `executor mcp`, which runs in this process. */
async function connect(
  era: (typeof eras)[number] = 'auto',
  { env = {}, user, transport = new BridgeTransport({ ...home.env, ...env }) }: ConnectOptions = {},
): Promise<Client> {
  const client = new Client(
    { name: 'stdio-agent', version: '1' },
    { versionNegotiation: { mode: era }, capabilities: user ? { elicitation: { form: {} } } : {} },
  );
  if (user) {
    client.setRequestHandler('elicitation/create', ({ params }, { mcpReq }) =>
      user(params.message, mcpReq.signal),
    );
  }
  // Output that is not a message ends up here.
  client.onerror = (error) => {
    throw error;
  };
  await client.connect(transport);
  return client;
}

/** Starts `executor mcp` as agent programs do. */
function startBridge(): Transport {
  const env = home.env as Record<string, string>;
  return new StdioClientTransport({
    command: process.execPath,
    args: [program, 'mcp'],
    env,
    stderr: 'inherit',
  });
}

async function call(client: Client, name: string, args: Record<string, unknown>) {
  const { content } = (await client.callTool({ name, arguments: args })) as CallToolResult;
  const [first] = content;
  return JSON.parse(first?.type === 'text' ? first.text : 'null');
}

test('the bridge starts the daemon and acts as an agent with its own key', async () => {
  for (const era of eras) {
    const client = await connect(era, { transport: startBridge() });
    expect(client.getNegotiatedProtocolVersion()).toBe(era === 'legacy' ? '2025-11-25' : '2026-07-28');
    expect(client.getInstructions()).toContain('resume');
    expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(['execute', 'resume']);
    expect(await call(client, 'execute', { code: 'return 1 + 1' })).toBe(2);
    await client.close();
  }
  expect(await home.keys()).toMatchObject([{ name: 'executor mcp', kind: 'agent' }]);
  expect((await stat(join(home.path, 'data', 'mcp-key'))).mode & 0o777).toBe(0o600);
  const runs = await home.client.executions.list();
  expect(runs.items.map(({ clientId }) => clientId)).toEqual(['stdio-agent', 'stdio-agent']);
});

test('another process can resume a run that waits for approval', async () => {
  const first = await connect('legacy');
  const code = 'return tools.executor.sources.remove({ namespace: "nothing" })';
  const waiting = await call(first, 'execute', { code });
  expect(waiting).toMatchObject({ status: 'waiting', interactions: [{ kind: 'approval' }] });
  await first.close();
  const [approval] = (await home.client.interactions.list({ status: 'pending' })).items;
  const second = await connect();
  const resumed = call(second, 'resume', { executionId: waiting.executionId });
  await home.client.interactions.resolve({ id: approval?.id as string, action: 'approve' });
  expect(await resumed).toMatchObject({ removed: false });
  await second.close();
});

test('dialogs work if the key allows them, and survive a restart', async () => {
  const created = await home.client.apiKeys.create({
    name: 'with a dialog',
    kind: 'agent',
    allowDialog: true,
  });
  for (const era of eras) {
    const shown: AbortSignal[] = [];
    let decide: () => void = () => {};
    const decided = new Promise<void>((resolve) => {
      decide = resolve;
    });
    const user = async (message: string, signal: AbortSignal): Promise<ElicitResult> => {
      expect(message).toContain(`"namespace": "nothing_${era}"`);
      shown.push(signal);
      await decided;
      return { action: 'accept', content: { decision: 'approve once' } };
    };
    const code = `return tools.executor.sources.remove({ namespace: "nothing_${era}" })`;
    const plain = await connect(era, { user });
    expect(await call(plain, 'execute', { code })).toMatchObject({ status: 'waiting' });
    expect(shown).toHaveLength(0);
    await plain.close();
    const client = await connect(era, { env: { EXECUTOR_TOKEN: created.key }, user });
    const removed = call(client, 'execute', { code });
    await vi.waitUntil(() => shown.length === 1, waiting);
    if (era === 'legacy') await home.killDaemon();
    await home.run(['restart']);
    // In the session era a question belongs to its stream. It is withdrawn, and asked again with the repeated request.
    if (era === 'legacy') await vi.waitUntil(() => shown.length === 2, waiting);
    expect(shown.map(({ aborted }) => aborted)).toEqual(era === 'legacy' ? [true, false] : [false]);
    decide();
    expect(await finish(client, await removed)).toMatchObject({ removed: false });
    await client.close();
  }
});

/** Returns the result of a run that may still be running after its call was answered. */
async function finish(client: Client, answer: { executionId?: string }) {
  let last = answer;
  while (last.executionId !== undefined)
    last = await call(client, 'resume', { executionId: last.executionId });
  return last;
}

async function runsWith(text: string) {
  const { items } = await home.client.executions.list();
  return items.filter(({ codeExcerpt }) => codeExcerpt.includes(text));
}

test('calls survive a restart and a crash of the daemon, and run once', async () => {
  const calls = eras.map(async (era) => {
    const client = await connect(era);
    const answer = await call(client, 'execute', { code: `await sleep(2000); return "over ${era}"` });
    expect(await finish(client, answer)).toBe(`over ${era}`);
    await client.close();
  });
  for (const era of eras)
    await vi.waitUntil(async () => (await runsWith(`over ${era}`)).length === 1, waiting);
  await home.run(['restart']);
  await Promise.all(calls);
  for (const era of eras) expect(await runsWith(`over ${era}`)).toHaveLength(1);

  const client = await connect();
  const dying = call(client, 'execute', { code: 'await sleep(2000); return "alive"' });
  await vi.waitUntil(async () => (await runsWith('alive')).length === 1, waiting);
  // The bridge itself has to start it again.
  await home.killDaemon();
  expect(await finish(client, await dying)).toBe('alive');
  expect(await runsWith('alive')).toHaveLength(1);
  await client.close();
});

test('a revoked key is replaced', async () => {
  const client = await connect('legacy');
  const ours = async () => (await home.keys()).filter(({ name }) => name === 'executor mcp');
  const [key] = await ours();
  await home.client.apiKeys.remove({ id: key?.id as string });
  expect(await call(client, 'execute', { code: 'return 3' })).toBe(3);
  const [other, ...more] = await ours();
  expect(more).toEqual([]);
  expect(other?.id).not.toBe(key?.id);
  await client.close();
});

/** Calls `execute` and gives up when the run exists. */
async function giveUp(client: Client, code: string): Promise<void> {
  const cancel = new AbortController();
  const gone = client
    .callTool({ name: 'execute', arguments: { code } }, { signal: cancel.signal })
    .catch(() => {});
  await vi.waitUntil(async () => (await runsWith(code)).length === 1, waiting);
  cancel.abort();
  await gone;
}

test('a cancelled call leaves its run alone, and the same code joins it once', async () => {
  for (const era of eras) {
    const client = await connect(era);
    const code = `await sleep(2000); return "cancelled ${era}"`;
    await giveUp(client, code);
    expect(await call(client, 'execute', { code: 'return 4' })).toBe(4);
    expect(await call(client, 'execute', { code })).toBe(`cancelled ${era}`);
    expect(await runsWith(code)).toHaveLength(1);
    expect(await call(client, 'execute', { code })).toBe(`cancelled ${era}`);
    expect(await runsWith(code)).toHaveLength(2);
    await client.close();
  }
});

test('the same code joins its run after a crash of the daemon', async () => {
  const { key } = await home.client.apiKeys.create({ name: 'crashed', kind: 'agent' });
  const client = await connectMcp(home.daemon, key);
  const code = 'await sleep(2000); return "crashed"';
  const dying = client.callTool({ name: 'execute', arguments: { code } }).catch(() => {});
  await vi.waitUntil(async () => (await runsWith(code)).length === 1, waiting);
  await home.killDaemon();
  await dying;
  await home.run(['up']);
  const again = await connectMcp(home.daemon, key);
  expect(await finish(again, await call(again, 'execute', { code }))).toBe('crashed');
  expect(await runsWith(code)).toHaveLength(1);
  await again.close();
});

const bridges = process.env.EXECUTOR_TEST_LONG === '1' ? 10 : 4;

test(`${bridges} concurrent bridges share one key`, async () => {
  const clients = await Promise.all(Array.from({ length: bridges }, (_, n) => connect(eras[n % 2])));
  const results = await Promise.all(
    clients.map((client, n) => call(client, 'execute', { code: `return ${n}` })),
  );
  expect(results).toEqual([...clients.keys()]);
  await Promise.all(clients.map((client) => client.close()));
  expect((await home.keys()).filter(({ name }) => name === 'executor mcp')).toHaveLength(1);
});

test('a client that closes its input at once gets its answers, even if the daemon must start first', async () => {
  await home.run(['down']);
  const params = { name: 'execute', arguments: { code: 'await sleep(500); return "a\u2028b"' } };
  const lines = [ping(1), JSON.stringify({ jsonrpc: '2.0', id: 2, method: 'tools/call', params })];
  const { code, answers } = outcomeOf(
    await home.startProcess(['mcp'], { input: `${lines.join('\n')}\n` }).ended,
  );
  expect([code, answers.map(({ id }) => id)]).toEqual([0, [1, 2]]);
  expect(answers[1].result.content).toEqual([{ type: 'text', text: '"a\u2028b"' }]);
});

/** Sends lines to `executor mcp`, waits for an answer to each, and ends the input. */
async function talk(lines: string[], env: Record<string, string> = {}) {
  const input = new PassThrough();
  const bridge = home.start(['mcp'], { env, input });
  for (const line of lines) input.write(`${line}\n`);
  await bridge.untilLines(lines.length);
  input.end();
  return outcomeOf(await bridge.ended);
}

function outcomeOf({ code, stdout, stderr }: Outcome) {
  const lines = stdout.split('\n').filter((line) => line !== '');
  return { code, stderr, answers: lines.map((line) => JSON.parse(line)) };
}

const ping = (id: number) => JSON.stringify({ jsonrpc: '2.0', id, method: 'ping' });

test('the bridge writes exactly one answer for each request, valid or not', async () => {
  const { code, stderr, answers } = await talk([ping(1), '{ this is not JSON', '[]', '7', ping(2)]);
  expect(code).toBe(0);
  expect(stderr).toBe('');
  expect(answers.filter(({ id }) => id !== null).map(({ id, result }) => [id, result])).toEqual(
    expect.arrayContaining([
      [1, {}],
      [2, {}],
    ]),
  );
  expect(answers.filter(({ error }) => error).every(({ id }) => id === null)).toBe(true);
});

test('an unreachable server or an unknown key is reported as an answer, and no key is logged', async () => {
  const { url } = home.daemon;
  const elsewhere = await talk([ping(1)], { EXECUTOR_URL: url, EXECUTOR_TOKEN: 'exa_wrong_key_of_somebody' });
  expect(elsewhere.answers).toMatchObject([{ id: 1, error: { message: expect.stringContaining('key') } }]);
  const broken = await talk([ping(1)], { EXECUTOR_URL: 'not a url' });
  expect(broken.answers).toMatchObject([
    { id: 1, error: { message: expect.stringContaining('EXECUTOR_URL') } },
  ]);
  const key = (await readFile(join(home.path, 'data', 'mcp-key'), 'utf8')).trim();
  expect(await home.read('logs', 'executor.log')).not.toContain(key);
});

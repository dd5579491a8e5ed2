import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest';
import { TestEngine } from '../../../engine/test/test-engine.ts';
import { type McpTestServer, startMcpServer } from '../../test/mcp/http-servers.ts';
import { createHttpClient } from '../http/create-http-client.ts';
import { createMcpSource } from './mcp-source.ts';

/* MCP sources in runs of the engine: rules, questions, restarts and changes. */

const http = createHttpClient();
afterAll(() => http.close());

let host: TestEngine;
let server: McpTestServer;
afterEach(async () => {
  await host.engine.sources.close();
  await host.close();
  await server.close();
});

async function start(era: 'legacy' | 'modern') {
  server = await startMcpServer(era);
  host = await TestEngine.start({
    sourceKinds: [createMcpSource({ http })],
    worker: { leaseMs: 1_500, evictAfterMs: 100 },
  });
  return host.engine.sources.add(host.owner, { kind: 'mcp', url: server.url, namespace: 'there' });
}

const allow = (pattern: string) =>
  host.engine.policies.create(host.owner, {
    pattern,
    decision: 'allow',
    conditions: [],
    scope: { type: 'workspace' },
  });

describe('A server with sessions', () => {
  beforeEach(() => start('legacy'));

  test('is a source whose tools are writes, with suggestions for the user', async () => {
    const source = await host.engine.sources.get(host.owner, 'there');
    expect(source).toMatchObject({
      kind: 'mcp',
      name: 'The Fixture',
      suggestionCount: 2,
      description: 'Say hello first.',
    });
    const { items } = await host.engine.sources.tools(host.owner, 'there', { limit: 100 });
    const echo = items.find(({ path }) => path === 'there.echo');
    expect(echo).toMatchObject({ effect: 'write', suggestion: { effect: 'read' } });
    await host.engine.sources.update(host.owner, 'there', { acceptSuggestions: ['there.echo'] });
    expect((await host.run('return await tools.there.echo({ text: "hi" })')).result).toBe('hi');
  });

  test('gets ten calls of a run in one session', async () => {
    await allow('there.**');
    const code =
      'return await Promise.all(Array.from({ length: 10 }, (_, i) => tools.there.echo({ text: String(i) })))';
    expect((await host.run(code)).result).toHaveLength(10);
    expect(server.sessions.size).toBe(1);
  });

  test('reads resources without approval', async () => {
    expect(
      (await host.run('return await tools.there.resources.read({ uri: "test://a" })')).result,
    ).toMatchObject({
      text: 'inside',
    });
  });

  test('cannot be added as a program by the code of a run', async () => {
    await allow('executor.sources.add');
    const { error } = await host.run(
      'return await tools.executor.sources.add({ kind: "mcp", command: "sh", args: ["-c", "id"] })',
    );
    expect(error?.message).toContain('Only a person can add this source');
  });
});

describe('A stateless server', () => {
  beforeEach(() => start('modern'));

  test('asks in a run that another process continues after a restart', async () => {
    await allow('there.greet');
    const { id } = await host.run('return await tools.there.greet({})', { waitMs: 0 });
    const [asked] = await host.asked(id);
    expect(asked).toMatchObject({ kind: 'elicitation', prompt: 'Who are you?' });
    await host.engine.worker.drain(0);
    const elsewhere = createMcpSource({ http });
    const other = await host.another({ sourceKinds: [elsewhere] });
    await host.answer(asked?.id ?? '', { action: 'submit', data: { name: 'Ada' } });
    await other.worker.start();
    const { result } = await other.executions.wait(host.owner, id, { waitMs: 20_000 });
    expect(result).toBe('accept Ada kept by the client');
    await other.worker.drain(0);
    await other.sources.close();
  });

  test('cannot change a tool between the approval of a call and the call', async () => {
    server.state.more.push({ name: 'pay', inputSchema: { type: 'object' } });
    await host.engine.sources.refresh(host.owner, 'there');
    const { id } = await host.run('return await tools.there.pay({})', { waitMs: 0 });
    const [asked] = await host.asked(id);
    server.state.more.splice(0, 1, { name: 'pay', inputSchema: { type: 'object', properties: { to: {} } } });
    await host.engine.sources.refresh(host.owner, 'there');
    await host.answer(asked?.id ?? '', { action: 'approve' });
    const isAskedAgain = async () =>
      (await host.asked(id)).some((one) => one.id !== asked?.id && one.status === 'pending');
    await expect.poll(isAskedAgain, { timeout: 20_000 }).toBe(true);
    expect(server.state.calls).toEqual([]);
  });
});

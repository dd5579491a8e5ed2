import type { Principal } from '@executor/protocol';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { TestEngine } from '../../../test/test-engine.ts';

let host: TestEngine;
let agent: Principal;
beforeEach(async () => {
  host = await TestEngine.start();
  await host.engine.policies.create(host.owner, {
    scope: { type: 'workspace' },
    pattern: 'notes.**',
    conditions: [],
    decision: 'allow',
  });
  const { id } = await host.engine.apiKeys.create(host.owner, { name: 'greedy', kind: 'agent' });
  agent = { ...host.agent, apiKeyId: id };
});
afterEach(() => host.close());

/** Sends calls that hang, and throws when they have arrived. */
const sendAndThrow = (count: number) => `
  for (let n = 0; n < ${count}; n++) tools.notes.add({ text: 'call ' + n });
  while ((await tools.notes.list()).length === 0);
  throw new Error('stop')`;

async function endedRun(count: number): Promise<{ id: string; release: () => void }> {
  const release = host.notes.hold('notes.add');
  const ended = host.engine.executions.create(agent, { code: sendAndThrow(count), waitMs: 60_000 });
  await expect.poll(() => host.notes.count('notes.add'), { timeout: 20_000 }).toBe(count);
  host.notes.notes.push('go');
  const { id, status } = await ended;
  expect(status).toBe('failed');
  return { id, release };
}

const statuses = async (id: string) => {
  const { items } = await host.engine.executions.calls(host.owner, id, { limit: 100 });
  return items.filter(({ path }) => path === 'notes.add').map(({ status }) => status);
};

const holders = (resource: 'calls' | 'runs') =>
  host.engine.resources.held[resource].usage().users.map(({ key }) => key);

test('Calls that go on after their run count against its key until they have ended', async () => {
  const { id, release } = await endedRun(3);
  expect(holders('calls')).toContain(agent.apiKeyId);
  await expect.poll(() => holders('runs')).not.toContain(agent.apiKeyId);
  release();
  await expect.poll(() => statuses(id), { timeout: 20_000 }).toEqual(Array(3).fill('succeeded'));
  await expect.poll(() => holders('calls')).not.toContain(agent.apiKeyId);
});

test('A process that ends waits for the calls of ended runs, and records them', async () => {
  const { id, release } = await endedRun(1);
  const drained = host.engine.worker.drain(20_000);
  expect(await statuses(id)).toEqual(['uncertain']);
  release();
  await drained;
  expect(await statuses(id)).toEqual(['succeeded']);
});

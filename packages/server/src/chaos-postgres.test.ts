import { setTimeout as sleep } from 'node:timers/promises';
import { isFinished } from '@executor/protocol';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { startPostgres, type TestPostgres } from '../../../scripts/test-postgres.ts';
import { allowFree } from '../test/chaos/perform.ts';
import { Person } from '../test/chaos/person.ts';
import type { RoleProcess } from '../test/chaos/role-process.ts';
import { World } from '../test/chaos/world.ts';

const patience = { timeout: 120_000, interval: 50 };
/** The random disturbances of chaos.test.ts cover these cases too. */
const isLong = process.env.EXECUTOR_TEST_LONG === '1';
const minutes = 60_000;

let postgres: TestPostgres;
let world: World;
beforeAll(async () => {
  postgres = await startPostgres();
  world = await World.start({ databaseUrl: postgres.url, timeoutMs: 15_000 });
  await allowFree(world);
}, 5 * minutes);
afterAll(async () => {
  await world?.close();
  await postgres?.remove();
});
beforeEach(() => world.addWorker(0));
afterEach(() => Promise.all(world.workers.map((worker) => worker.kill())));

function first(): RoleProcess {
  return world.workers[0] as RoleProcess;
}

async function ended(id: string) {
  return vi.waitUntil(async () => {
    const execution = await world.request((client) => client.executions.get({ id }));
    return isFinished(execution.status) && execution;
  }, patience);
}

async function start(code: string): Promise<string> {
  const created = world.client.executions.create({ code }).catch((error: Error) => {
    throw new Error(`${error.message} ${world.tails()}`, { cause: error });
  });
  return (await created).id;
}

/** Starts a run and waits for its call, whose response is delayed until `letGo`. */
async function startHeld(key: string, code: string) {
  const hold = world.ledger.hold((entry) => entry.key === key);
  const id = await start(code);
  const { callId } = await withinLimit(hold.arrived);
  return { id, callId, letGo: () => hold.letGo() };
}

/** Rejects if the promise takes too long. */
async function withinLimit<Value>(promise: Promise<Value>): Promise<Value> {
  const late = sleep(90_000, undefined, { ref: false }).then(() => {
    throw new Error(`Timed out. ${world.tails()}`);
  });
  return Promise.race([promise, late]);
}

async function typesOf(id: string): Promise<string[]> {
  const types: string[] = [];
  for await (const { type } of world.client.executions.events({ id })) types.push(type);
  return types;
}

test(
  'A database outage of ten seconds fails no run, whether it reads, is about to write, writes, asks or has its result',
  async () => {
    const read = (key: string) => `await tools.ledger.read({ key: '${key}' });`;
    const runs = {
      reads: await startHeld(
        'r',
        `${read('r')} for (let i = 0; i < 20; i++) { ${read('more')} } return 'read'`,
      ),
      isAboutToWrite: await startHeld(
        'w',
        `${read('w')} return (await tools.ledger.write({ key: 'free later' })).key`,
      ),
      writes: await startHeld('free now', `return (await tools.ledger.write({ key: 'free now' })).key`),
      asks: await startHeld('q', `${read('q')} return (await tools.ledger.write({ key: 'asked' })).key`),
      hasItsResult: await startHeld('p', `${read('p')} return 'x'.repeat(100_000)`),
      sleeps: await startHeld('s', `${read('s')} await sleep(2_000); return 'slept'`),
    };
    const person = new Person(world, () => 1);
    await postgres.stop();
    for (const { letGo } of Object.values(runs)) letGo();
    await sleep(10_000);
    await postgres.start();
    person.begin();
    const endings = await Promise.all(
      Object.entries(runs).map(async ([name, { id }]) => {
        const { status, result, error } = await ended(id);
        return [name, error ?? { status, result: String(result).slice(0, 10) }];
      }),
    );
    await person.end();
    const completed = (result: string) => ({ status: 'completed', result });
    expect(Object.fromEntries(endings)).toEqual({
      reads: completed('read'),
      isAboutToWrite: completed('free later'),
      writes: completed('free now'),
      asks: completed('asked'),
      hasItsResult: completed('xxxxxxxxxx'),
      sleeps: completed('slept'),
    });
    const writes = world.ledger.entries.filter(({ operation }) => operation === 'write');
    expect(writes.map(({ key }) => key).sort()).toEqual(['asked', 'free later', 'free now']);
    expect(person.problems).toEqual([]);
  },
  5 * minutes,
);

test.runIf(isLong)(
  'A worker that is asked to stop finishes the write in flight',
  async () => {
    const { id, callId, letGo } = await startHeld(
      'free drained',
      `return (await tools.ledger.write({ key: 'free drained' })).key`,
    );
    const ending = first().terminate();
    await world.addWorker(1);
    await sleep(1_000);
    letGo();
    expect(await withinLimit(ending)).toEqual({ code: 0, signal: null });
    expect(await ended(id)).toMatchObject({ status: 'completed', result: 'free drained' });
    expect(world.ledger.of(callId)).toHaveLength(1);
    expect(await typesOf(id)).not.toContain('interaction.requested');
  },
  5 * minutes,
);

test.runIf(isLong)(
  'A worker that cannot finish its write in time causes one question to a person',
  async () => {
    const { id, callId, letGo } = await startHeld(
      'free left',
      `return (await tools.ledger.write({ key: 'free left' })).key`,
    );
    await world.addWorker(1);
    expect(await withinLimit(first().terminate())).toEqual({ code: 0, signal: null });
    const [asked] = await vi.waitUntil(async () => {
      const { interactions } = await world.client.executions.get({ id });
      return interactions.length > 0 && interactions;
    }, patience);
    letGo();
    expect(asked).toMatchObject({ kind: 'reconcile' });
    await world.client.interactions.resolve({
      id: asked?.id ?? '',
      action: 'complete',
      data: { key: 'it is there' },
    });
    expect(await ended(id)).toMatchObject({ status: 'completed', result: 'it is there' });
    expect(world.ledger.of(callId)).toHaveLength(1);
  },
  5 * minutes,
);

test(
  'A worker that was stopped past its lease during a write no longer owns the run',
  async () => {
    const { id, callId, letGo } = await startHeld(
      'free slept',
      `return (await tools.ledger.write({ key: 'free slept' })).key`,
    );
    const sleeper = first();
    sleeper.pause();
    await world.addWorker(1);
    const [asked] = await vi.waitUntil(async () => {
      const { interactions } = await world.client.executions.get({ id });
      return interactions.length > 0 && interactions;
    }, patience);
    expect(world.ledger.of(callId)).toHaveLength(1);
    letGo();
    sleeper.resume();
    await sleep(2_000);
    expect(await world.client.executions.get({ id })).toMatchObject({ status: 'waiting' });
    await world.client.interactions.resolve({ id: asked?.id ?? '', action: 'retry' });
    expect(await ended(id)).toMatchObject({ status: 'completed', result: 'free slept' });
    expect(world.ledger.of(callId).map(({ attempt }) => attempt)).toEqual([1, 2]);
    expect((await typesOf(id)).filter((type) => type === 'call.completed')).toHaveLength(1);
    expect(await world.client.executions.replay({ id })).toMatchObject({ matched: true });
  },
  5 * minutes,
);

import { type Execution, isFinished } from '@executor/protocol';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { World } from '../test/chaos/world.ts';

const patience = { timeout: 120_000, interval: 50 };
const minutes = 60_000;

let world: World;
beforeAll(async () => {
  world = await World.start({ timeoutMs: 2 * minutes });
}, 5 * minutes);
afterAll(() => world?.close());

const start = (code: string) => world.client.executions.create({ code });
const until = (id: string, isReached: (run: Execution) => boolean) =>
  vi.waitUntil(async () => {
    const run = await world.request((client) => client.executions.get({ id }));
    return isReached(run) && run;
  }, patience);
const ended = (id: string) => until(id, ({ status }) => isFinished(status));
const questionOf = async (id: string) =>
  (await until(id, ({ status, interactions }) => status === 'waiting' && interactions.length > 0))
    .interactions[0]?.id ?? '';
const sent = (key: string, times: number) =>
  vi.waitUntil(() => world.ledger.entries.filter((entry) => entry.key === key).length >= times, patience);
/** Like a run that makes the process end. */
const crash = async () => {
  await world.server.kill();
  await world.startServer();
};

test(
  'A run that was alone in two processes that died is not executed again, and harms no other run',
  async () => {
    const waiting = await start(`return (await tools.ledger.write({ key: 'patient' })).key`);
    const question = await questionOf(waiting.id);
    const bomb = world.ledger.hold(({ key }) => key === 'bomb');
    const run = await start(`return (await tools.ledger.read({ key: 'bomb' })).key`);
    await bomb.arrived;
    await crash();
    // A person's run does not wait for the end of the probation.
    expect(await world.client.executions.create({ code: 'return 1', waitMs: 20_000 })).toMatchObject({
      result: 1,
    });
    await sent('bomb', 2);
    await crash();
    expect(await ended(run.id)).toMatchObject({
      status: 'failed',
      error: {
        code: 'crashed',
        message: expect.stringContaining('ended twice while only this run was executing'),
      },
    });
    expect(world.ledger.entries.filter(({ key }) => key === 'bomb')).toHaveLength(2);
    bomb.letGo();
    expect(await questionOf(waiting.id)).toBe(question);
    await world.client.interactions.resolve({ id: question, action: 'approve' });
    expect(await ended(waiting.id)).toMatchObject({ status: 'completed', result: 'patient' });
  },
  5 * minutes,
);

test(
  'Such a run with an unfinished write waits until a reviewer has decided about the write',
  async () => {
    const held = world.ledger.hold(({ key }) => key === 'unsure' || key === 'bomb 2');
    const run = await start(`
      const read = () => tools.ledger.read({ key: 'bomb 2' });
      const [written] = await Promise.all([tools.ledger.write({ key: 'unsure' }), read()]);
      return written`);
    await world.client.interactions.resolve({ id: await anyQuestionOf(run.id), action: 'approve' });
    await Promise.all([sent('unsure', 1), sent('bomb 2', 1)]);
    await crash();
    await sent('bomb 2', 2);
    await crash();
    const question = await questionOf(run.id);
    expect(await world.client.interactions.get({ id: question })).toMatchObject({ kind: 'reconcile' });
    expect(world.ledger.entries.filter(({ key }) => key === 'bomb 2')).toHaveLength(2);
    held.letGo();
    await world.client.interactions.resolve({ id: question, action: 'complete', data: 'it happened' });
    expect(await ended(run.id)).toMatchObject({ status: 'completed', result: 'it happened' });
    expect(world.ledger.entries.filter(({ key }) => key === 'unsure')).toHaveLength(1);
  },
  5 * minutes,
);

test(
  'Runs that were executing together when processes died continue, and none is blamed',
  async () => {
    const held = world.ledger.hold(({ key }) => key === 'one' || key === 'other');
    const runs = await Promise.all(
      ['one', 'other'].map((key) => start(`return (await tools.ledger.read({ key: '${key}' })).key`)),
    );
    for (let times = 1; times <= 3; times++) {
      await Promise.all([sent('one', times), sent('other', times)]);
      if (times < 3) await crash();
    }
    held.letGo();
    for (const { id } of runs) expect(await ended(id)).toMatchObject({ status: 'completed' });
  },
  5 * minutes,
);

/** A run may have a question while another call of it is in flight. */
async function anyQuestionOf(id: string): Promise<string> {
  return (await until(id, ({ interactions }) => interactions.length > 0)).interactions[0]?.id ?? '';
}

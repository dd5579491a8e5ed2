import { setTimeout as sleep } from 'node:timers/promises';
import { createClient } from '@executor/client';
import { ExecutorError, isFinished } from '@executor/protocol';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { seededRandom } from '../../store/test/seeded-random.ts';
import { makeCrowd } from '../test/chaos/waiting-crowd.ts';
import { World } from '../test/chaos/world.ts';

const isLong = process.env.EXECUTOR_TEST_LONG === '1';
const seed = Number(process.env.EXECUTOR_TEST_SEED ?? (isLong ? Math.floor(Math.random() * 1e9) : 1));
const patience = { timeout: 120_000, interval: 50 };
const minutes = 60_000;
const rounds = isLong ? 20 : 4;

let world: World;
beforeAll(async () => {
  world = await World.start();
}, 5 * minutes);
afterAll(() => world?.close());

/** The one question of a run, once it is asked. */
async function questionOf(id: string): Promise<string> {
  return vi.waitUntil(async () => (await world.client.executions.get({ id })).interactions[0]?.id, patience);
}

async function ended(id: string) {
  return vi.waitUntil(async () => {
    const execution = await world.request((client) => client.executions.get({ id }));
    return isFinished(execution.status) && execution;
  }, patience);
}

test(
  'An approval that two clients answer at once has one answer, and both clients get it',
  async () => {
    const { key } = await world.client.apiKeys.create({ name: 'another client', kind: 'person' });
    const otherClient = createClient({ url: world.url, token: key });
    for (let round = 0; round < rounds; round++) {
      const code = `try { return (await tools.ledger.write({ key: 'two clients ${round}' })).key } catch (error) { return error.name }`;
      const { id } = await world.client.executions.create({ code });
      const question = await questionOf(id);
      const answers = await Promise.allSettled([
        world.client.interactions.resolve({ id: question, action: 'approve' }),
        otherClient.interactions.resolve({ id: question, action: 'deny' }),
      ]);
      const [approved, denied] = answers.map(({ status }) => status === 'fulfilled');
      expect([approved, denied].filter(Boolean)).toHaveLength(1);
      const lost = answers.find(({ status }) => status === 'rejected') as PromiseRejectedResult;
      expect(lost.reason).toBeInstanceOf(ExecutorError);
      expect(lost.reason).toMatchObject({
        code: 'conflict',
        details: { id: question, action: approved ? 'approve' : 'deny' },
      });
      const { result } = await ended(id);
      expect(result).toBe(approved ? `two clients ${round}` : 'ToolDeniedError');
      expect(world.ledger.entries.filter(({ key }) => key === `two clients ${round}`)).toHaveLength(
        approved ? 1 : 0,
      );
      const { items } = await world.client.audit.list({ limit: 20 });
      expect(items.filter(({ target }) => target === question)).toMatchObject([
        {
          action: 'interaction.resolved',
          details: { action: approved ? 'approve' : 'deny' },
          credential: approved ? 'localToken' : 'apiKey',
        },
      ]);
    }
  },
  5 * minutes,
);

test(
  'A cancellation that races the end of a run leaves it completed or cancelled, in all views',
  async () => {
    const seen = new Set<string>();
    for (let round = 0; round < rounds; round++) {
      const key = `raced ${round}`;
      const held = world.ledger.hold((entry) => entry.key === key);
      const { id } = await world.client.executions.create({
        code: `return (await tools.ledger.read({ key: '${key}' })).key`,
      });
      await held.arrived;
      held.letGo();
      // Even rounds cancel at once, odd rounds later each time.
      await sleep(round % 2 === 0 ? 0 : (round * 40) / rounds);
      const cancelled = await world.client.executions.cancel({ id });
      const execution = await ended(id);
      expect(cancelled.status).toBe(execution.status);
      expect(execution.result).toBe(execution.status === 'completed' ? key : undefined);
      const types: string[] = [];
      for await (const { type } of world.client.executions.events({ id })) types.push(type);
      expect(types.at(-1)).toBe(`execution.${execution.status}`);
      expect(
        types.filter((type) => /completed|failed|cancelled/.test(type) && !type.startsWith('call')),
      ).toEqual([types.at(-1)]);
      expect(await world.client.executions.replay({ id })).toMatchObject({ matched: true });
      seen.add(execution.status);
    }
    expect([...seen].every((status) => status === 'completed' || status === 'cancelled')).toBe(true);
  },
  5 * minutes,
);

test(
  'A huge result and a huge tool response are complete after the daemon was killed',
  async () => {
    const code = `
      const parts = [await tools.ledger.read({ key: 'huge', bytes: 9_000_000 })];
      for (let i = 0; i < 3; i++) parts.push((await tools.ledger.read({ key: 'large ' + i, bytes: 300_000 })).filling);
      return parts;`;
    const { id } = await world.client.executions.create({ code });
    const { status, omitted } = await ended(id);
    expect(status).toBe('completed');
    await world.server.kill();
    await world.startServer();
    const whole = await world.client.artifacts.get({ id: omitted?.result?.artifactId ?? '' });
    const [huge, ...large] = JSON.parse(Buffer.from(whole.bytes).toString()) as [{ id: string }, ...string[]];
    expect(large.map((text) => text.length)).toEqual([300_000, 300_000, 300_000]);
    const answer = await world.client.artifacts.get({ id: huge.id });
    expect(JSON.parse(Buffer.from(answer.bytes).toString()).filling).toHaveLength(9_000_000);
    expect(await world.client.executions.replay({ id })).toMatchObject({ matched: true });
  },
  5 * minutes,
);

const [crowd, few] = isLong ? [10_000, 100] : [40, 12];
test(
  `${few} of ${crowd} waiting runs are answered after a restart, and only those end`,
  async () => {
    const code = `
      const { digest } = await tools.ledger.read({ key: 'known' });
      return [digest, (await tools.ledger.write({ key: 'approved' })).digest];`;
    const model = await world.client.executions.create({ code });
    await questionOf(model.id);
    await vi.waitUntil(
      async () => (await world.client.executions.get({ id: model.id })).status === 'waiting',
      patience,
    );
    await world.server.terminate();
    const questions = [...(await makeCrowd(world, model.id, crowd))];
    const started = Date.now();
    await world.startServer();
    console.info(
      `restart with ${crowd} waiting runs: ${Date.now() - started} ms (EXECUTOR_TEST_SEED=${seed})`,
    );
    const random = seededRandom(seed);
    const chosen = Array.from(
      { length: few },
      () => questions.splice(Math.floor(random() * questions.length), 1)[0] as [string, string],
    );
    const answer = ([, id]: [string, string]) => world.client.interactions.resolve({ id, action: 'approve' });
    const answered = Date.now();
    for (let from = 0; from < chosen.length; from += 10)
      await Promise.all(chosen.slice(from, from + 10).map(answer));
    for (const [id] of chosen) {
      const { status, result } = await ended(id);
      expect({ status, result }).toEqual({
        status: 'completed',
        result: [expect.any(String), expect.any(String)],
      });
    }
    console.info(`${few} answered and ended: ${Date.now() - answered} ms`);
    const writes = world.ledger.entries.filter(({ key }) => key === 'approved');
    expect(new Set(writes.map(({ callId }) => callId))).toEqual(new Set(chosen.map(([id]) => `${id}.1`)));
    expect(writes).toHaveLength(few);
    for (const [id] of questions.slice(0, 20))
      expect(await world.client.executions.get({ id })).toMatchObject({ status: 'waiting' });
  },
  20 * minutes,
);

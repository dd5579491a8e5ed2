import { describe, expect, test } from 'vitest';
import type { Account } from './account.ts';
import { HeldResource, type Hold } from './held-resource.ts';

const agent = (key: string): Account => ({ kind: 'agent', key, workspaceId: 'w' });
const person: Account = { kind: 'person', key: 'ada', workspaceId: 'w' };
const resource = () => new HeldResource('requests', { perKey: 3, agents: 5, total: 8 });

/** Starts to take amounts, and lists the names in the order in which they are granted. */
function takeAll(from: HeldResource, names: string[]) {
  const granted: string[] = [];
  const holds: Hold[] = [];
  const taking = names.map(async (name) => {
    const hold = await from.take(name === 'ada' ? person : agent(name));
    granted.push(name);
    holds.push(hold);
  });
  return { granted, holds, taking };
}
const settle = () => new Promise((resolve) => setImmediate(resolve));

test('A key gets at most its own share, and agents leave a reserve for people', () => {
  const held = resource();
  expect(held.tryTake(agent('a'), 3)).toBeDefined();
  expect(held.tryTake(agent('a'))).toBeUndefined();
  expect(held.tryTake(agent('b'))).toBeDefined();
  expect(held.tryTake(agent('c'))).toBeDefined();
  expect(held.tryTake(agent('d'))).toBeUndefined();
  expect(held.tryTake(person, 3)).toBeDefined();
  expect(held.usage()).toEqual({
    used: 8,
    byAgents: 5,
    waiting: 0,
    users: [
      { key: 'a', used: 3 },
      { key: 'ada', used: 3 },
      { key: 'b', used: 1 },
      { key: 'c', used: 1 },
    ],
  });
});

describe('Keys that use up what agents may hold together', () => {
  const slots = () => new HeldResource('runs', { perKey: 8, agents: 16, total: 20 });

  /** Keys that hold as much as they can get. */
  function crowded(): HeldResource {
    const held = slots();
    held.require(agent('a'), 6);
    held.require(agent('b'), 2);
    held.require(agent('b'), 2);
    return held;
  }

  test('leave a half to keys that hold little', () => {
    const held = crowded();
    expect(held.tryTake(agent('a'))).toBeUndefined();
    expect(held.tryTake(agent('b'))).toBeUndefined();
    expect(held.tryTake(agent('c'), 3)).toBeDefined();
    expect(held.tryTake(agent('c'), 2)).toBeUndefined();
    expect(held.tryTake(agent('c'), 1)).toBeDefined();
    expect(held.room).toEqual({
      ...{ total: 6, agents: 2, perOwner: { person: 8, agent: 4 } },
      ...{ held: { a: 6, b: 4, c: 4 }, full: ['a', 'b', 'c'] },
    });
  });

  test('do not delay such a key, even if one of them is next', async () => {
    const held = slots();
    const greedy = held.require(agent('a'), 8);
    held.require(agent('b'), 2);
    let isServed = false;
    const large = held.take(agent('b'), 5).then(() => {
      isServed = true;
    });
    // It holds nothing, so it may take more than half of what a key may hold.
    expect((await held.take(agent('c'), 6)).amount).toBe(6);
    expect(isServed).toBe(false);
    greedy.release();
    await large;
  });

  test('get nothing of that half when such a key gives it back', async () => {
    const held = crowded();
    const modest = await held.take(agent('c'), 4);
    modest.release();
    expect(held.tryTake(agent('a'))).toBeUndefined();
    expect(held.room.agents).toBe(6);
  });

  test('never keep a key from its own share', () => {
    const held = new HeldResource('runs', { perKey: 4, agents: 4, total: 6 });
    expect(held.tryTake(agent('a'), 4)).toBeDefined();
    expect(held.room.agents).toBe(0);
  });

  test('take nothing from people', () => {
    const held = crowded();
    held.require(person, 4);
    expect(held.room).toMatchObject({ perOwner: { person: 8 }, full: ['a', 'b'] });
  });
});

test('A refusal says the limits, what the key holds, and when to try again', () => {
  const held = resource();
  held.tryTake(agent('a'), 3);
  expect(() => held.require(agent('a'))).toThrow(
    expect.objectContaining({
      code: 'tooManyRequests',
      message: expect.stringContaining('3 per key and 5 for all agents together. This key holds 3.'),
      details: { resource: 'requests', requested: 1, used: 3, perKey: 3, agents: 5, retryAfterSeconds: 1 },
    }),
  );
});

test('An amount that a key may never hold is refused at once', async () => {
  await expect(resource().take(agent('a'), 4)).rejects.toMatchObject({ code: 'quotaExceeded' });
});

test('Keys take turns, so that many callers of one key do not delay another', async () => {
  const held = new HeldResource('ownCalls', { perKey: 1, agents: 1, total: 2 });
  const { granted, holds, taking } = takeAll(held, ['a', 'a', 'a', 'b', 'b', 'c']);
  for (let served = 0; served < 6; served += 1) {
    await settle();
    holds[served]?.release();
  }
  await Promise.all(taking);
  expect(granted).toEqual(['a', 'b', 'c', 'a', 'b', 'a']);
});

test('People are served before agents that wait', async () => {
  const held = new HeldResource('ownCalls', { perKey: 2, agents: 1, total: 1 });
  const { granted, holds, taking } = takeAll(held, ['a', 'b', 'ada']);
  for (let served = 0; served < 3; served += 1) {
    await settle();
    holds[served]?.release();
  }
  await Promise.all(taking);
  expect(granted).toEqual(['a', 'ada', 'b']);
});

test('A large amount keeps its turn until enough is free', async () => {
  const held = new HeldResource('answerBytes', { perKey: 10, agents: 10, total: 20 });
  const first = await held.take(agent('a'), 6);
  let isLargeServed = false;
  const large = held.take(agent('b'), 10).then((hold) => {
    isLargeServed = true;
    return hold;
  });
  const small = held.take(agent('c'), 1);
  await settle();
  expect({ isLargeServed, waiting: held.usage().waiting }).toEqual({ isLargeServed: false, waiting: 2 });
  first.release();
  (await large).release();
  expect((await small).amount).toBe(1);
});

test('A caller that gives up leaves the queue', async () => {
  const held = new HeldResource('ownCalls', { perKey: 1, agents: 1, total: 1 });
  const first = await held.take(agent('a'));
  const controller = new AbortController();
  const second = held.take(agent('b'), 1, controller.signal);
  const third = held.take(agent('c'));
  controller.abort(new Error('gone'));
  await expect(second).rejects.toThrow('gone');
  first.release();
  expect((await third).amount).toBe(1);
  expect(held.usage().waiting).toBe(0);
});

test('A hold can shrink, and releasing it twice gives back no more than it held', async () => {
  const held = resource();
  const hold = await held.take(agent('a'), 3);
  hold.shrinkTo(1);
  expect(held.usage().used).toBe(1);
  hold.release();
  hold.release();
  expect(held.usage()).toEqual({ used: 0, byAgents: 0, waiting: 0, users: [] });
});

test('A caller with little patience is refused if its turn does not come in time', async () => {
  const held = new HeldResource('requests', { perKey: 1, agents: 1, total: 1 });
  const first = await held.takeWithin(60_000, agent('a'));
  await expect(held.takeWithin(1, agent('a'))).rejects.toMatchObject({ code: 'tooManyRequests' });
  const second = held.takeWithin(60_000, agent('a'));
  first.release();
  expect((await second).amount).toBe(1);
  expect(held.usage().waiting).toBe(0);
});

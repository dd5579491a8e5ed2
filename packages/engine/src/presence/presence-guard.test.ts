import { ExecutorError, type Principal } from '@executor/protocol';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { Fixture } from '../../../store/test/fixture.ts';
import { borrowTestPglite, type TestStore } from '../../../store/test/test-database.ts';
import { hashPin, pinMatches } from './pin.ts';
import { lockMs, PresenceGuard } from './presence-guard.ts';

const minute = 60_000;

describe('Presence', () => {
  let opened: TestStore;
  let guard: PresenceGuard;
  let ada: Principal;
  let clock: Date;
  const now = () => clock;
  const pass = (milliseconds: number) => {
    clock = new Date(clock.getTime() + milliseconds);
  };
  const codeOf = (work: Promise<unknown>): Promise<string> =>
    work.then(
      () => 'fine',
      (error) => (error instanceof ExecutorError ? error.code : String(error)),
    );
  const attempt = (pin: string | undefined, by = guard) => codeOf(by.require(ada, pin));
  const audit = async () =>
    (await opened.store.audit.list(ada.workspaceId, { limit: 50 })).items.map(({ action }) => action).sort();

  beforeAll(async () => {
    opened = await borrowTestPglite();
    clock = new Date('2026-11-15T12:00:00.000Z');
    guard = new PresenceGuard({ store: opened.store, now });
  });
  afterAll(() => opened.close());
  beforeEach(async () => {
    const { workspace, actor } = await new Fixture(() => opened).newWorkspace('presence');
    ada = { kind: 'person', credential: 'localToken', workspaceId: workspace.id, actorId: actor.id };
  });

  test('is off until a user turns it on, and then needs the PIN', async () => {
    expect(await guard.get(ada)).toEqual({ mode: 'off' });
    expect(await attempt(undefined)).toBe('fine');
    expect(await guard.update(ada, { mode: 'pin', pin: '4711' }, undefined)).toEqual({ mode: 'pin' });
    await expect(guard.require(ada, undefined)).rejects.toThrow(
      'Presence is on: this needs your PIN. At a terminal the CLI asks for it; over HTTP send it as x-executor-presence.',
    );
    expect(await attempt('4711')).toBe('fine');
    await expect(guard.require(ada, '4712')).rejects.toThrow(
      'That is not the PIN. 4 more wrong ones in a row, and none is accepted for 1 minute.',
    );
  });

  test('is changed and turned off with the current PIN only', async () => {
    await guard.update(ada, { mode: 'pin', pin: '4711' }, undefined);
    expect(await codeOf(guard.update(ada, { mode: 'off' }, undefined))).toBe('presenceRequired');
    expect(await codeOf(guard.update(ada, { mode: 'pin', pin: '1234' }, '1234'))).toBe('presenceRequired');
    await guard.update(ada, { mode: 'pin', pin: '1234' }, '4711');
    expect(await attempt('4711')).toBe('presenceRequired');
    expect(await guard.update(ada, { mode: 'off' }, '1234')).toEqual({ mode: 'off' });
    expect(await guard.update(ada, { mode: 'off' }, undefined)).toEqual({ mode: 'off' });
    expect(await audit()).toEqual(['presence.off', 'presence.on', 'presence.pinChanged']);
    const { items } = await opened.store.audit.list(ada.workspaceId, { limit: 50 });
    expect(JSON.stringify(items.map(({ details }) => details))).not.toMatch(/4711|1234|scrypt/);
  });

  test('locks for a minute after five wrong PINs, then for twice as long each time', async () => {
    await guard.update(ada, { mode: 'pin', pin: '4711' }, undefined);
    for (let wrong = 1; wrong < 5; wrong++) expect(await attempt('0000')).toBe('presenceRequired');
    expect(await attempt('0000')).toBe('tooManyAttempts');
    expect(await guard.get(ada)).toEqual({
      mode: 'pin',
      lockedUntil: new Date(clock.getTime() + minute).toISOString(),
    });
    await expect(guard.require(ada, '4711')).rejects.toMatchObject({
      code: 'tooManyAttempts',
      details: { lockedUntil: new Date(clock.getTime() + minute).toISOString() },
    });
    pass(minute);
    expect(await attempt('0000')).toBe('tooManyAttempts');
    pass(2 * minute - 1);
    expect(await attempt('4711')).toBe('tooManyAttempts');
    pass(1);
    expect(await attempt('4711')).toBe('fine');
    expect(await attempt('0000')).toBe('presenceRequired');
    expect(await audit()).toEqual(['presence.locked', 'presence.locked', 'presence.on']);
    expect([5, 6, 7, 15, 16, 1_000].map(lockMs)).toEqual(
      [1, 2, 4, 1_024, 1_440, 1_440].map((minutes) => minutes * minute),
    );
  });

  test('checks five of a hundred concurrent guesses, from any number of processes', async () => {
    await guard.update(ada, { mode: 'pin', pin: '0099' }, undefined);
    const other = new PresenceGuard({ store: opened.store, now });
    const pins = Array.from({ length: 100 }, (_, index) => String(index).padStart(4, '0'));
    const codes = await Promise.all(pins.map((pin, index) => attempt(pin, index % 2 ? guard : other)));
    expect(codes.filter((code) => code === 'presenceRequired')).toHaveLength(4);
    expect(codes.filter((code) => code === 'tooManyAttempts')).toHaveLength(96);
    pass(24 * 60 * minute);
    const again = await Promise.all(pins.map((pin) => attempt(pin)));
    expect(new Set(again)).toEqual(new Set(['tooManyAttempts']));
  });

  test('cannot be changed by agents', async () => {
    const agent: Principal = { ...ada, kind: 'agent', credential: 'apiKey' };
    expect(await codeOf(guard.get(agent))).toBe('forbidden');
    expect(await codeOf(guard.require(agent, '4711'))).toBe('forbidden');
    expect(await codeOf(guard.update(agent, { mode: 'pin', pin: '4711' }, undefined))).toBe('forbidden');
  });
});

test('stores the PIN as a salted hash', async () => {
  const [one, two] = await Promise.all([hashPin('4711'), hashPin('4711')]);
  expect(one).not.toBe(two);
  expect(one).toMatch(/^scrypt\$32768\$8\$1\$[\w-]{22}\$[\w-]{43}$/);
  expect(await pinMatches('4711', one)).toBe(true);
  expect(await pinMatches('4712', one)).toBe(false);
  expect(await pinMatches('4711', 'nonsense')).toBe(false);
});

import type { DialogQuestion } from '@executor/engine';
import { expect, test } from 'vitest';
import { OpenDialogs } from './open-dialogs.ts';

const question = (interactionId: string): DialogQuestion => ({
  interactionId,
  executionId: 'exe_1',
  askedAt: new Date(0),
  message: 'Allow it?',
  url: `http://localhost/approvals/${interactionId}`,
  hash: `hash of ${interactionId}`,
});
const mine = { ownerId: 'key_1', sessionId: 's1' };

test('A dialog is answered once, by its own client and key', () => {
  const dialogs = new OpenDialogs();
  const dialog = dialogs.open(mine, question('a'));
  const { id } = dialog ?? {};
  expect(dialogs.take({ ...mine, ownerId: 'key_2' }, id)).toBeUndefined();
  expect(dialogs.take({ ...mine, sessionId: 's2' }, id)).toBeUndefined();
  for (const other of ['a', 0, undefined, null, {}, '__proto__']) {
    expect(dialogs.take(mine, other)).toBeUndefined();
  }
  expect(dialogs.take(mine, id)).toBe(dialog);
  expect(dialogs.take(mine, id)).toBeUndefined();
});

test('A client that asks again joins its open dialog', () => {
  const dialogs = new OpenDialogs();
  const dialog = dialogs.open(mine, question('a'));
  expect(dialogs.find(mine, question('a'))).toBe(dialog);
  expect(dialogs.find(mine, question('b'))).toBeUndefined();
  expect(dialogs.find(mine, { ...question('a'), hash: 'of something else' })).toBeUndefined();
  expect(dialogs.find({ ...mine, sessionId: 's2' }, question('a'))).toBeUndefined();
});

test('A dialog whose stream broke is not joined, and an answer to it still counts', () => {
  const dialogs = new OpenDialogs();
  const lost = dialogs.open(mine, question('a'));
  lost?.lose();
  expect(lost?.unanswered.aborted).toBe(true);
  expect(dialogs.find(mine, question('a'))).toBeUndefined();
  const again = dialogs.open(mine, question('a'));
  expect(dialogs.find(mine, question('a'))).toBe(again);
  expect(dialogs.take(mine, lost?.id)).toBe(lost);
});

test('Unanswered dialogs expire, and their number is limited', () => {
  let now = 0;
  const dialogs = new OpenDialogs(() => now);
  const first = dialogs.open(mine, question('first'));
  let count = 1;
  while (dialogs.open(mine, question(`${count}`))) count++;
  expect(count).toBe(200);
  expect(dialogs.open({ ...mine, ownerId: 'key_2' }, question('other'))).toBeDefined();
  now = 31 * 60_000;
  expect(dialogs.find(mine, question('first'))).toBeUndefined();
  expect(dialogs.take(mine, first?.id)).toBeUndefined();
  expect(dialogs.open(mine, question('again'))).toBeDefined();
});

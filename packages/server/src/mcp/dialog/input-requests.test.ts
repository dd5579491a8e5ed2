import { expect, test } from 'vitest';
import { nameOf } from './input-requests.ts';

const question = { executionId: 'exe_1', interactionId: 'int_1', hash: 'h', askedAt: new Date(1_000) };
const signing = { ownerId: 'key_1', key: 'secret', now: 2_000 };
const day = 86_400_000;

test('A question keeps its name for a day', () => {
  const name = nameOf(question, signing);
  expect(nameOf(question, { ...signing, now: 1_000 + day - 1 })).toBe(name);
  expect(nameOf(question, { ...signing, now: 1_000 + day })).not.toBe(name);
});

test('A name is bound to one key, run, question and text, and is signed', () => {
  const names = [
    nameOf(question, signing),
    nameOf(question, { ...signing, ownerId: 'key_2' }),
    nameOf(question, { ...signing, key: 'guessed' }),
    nameOf({ ...question, executionId: 'exe_2' }, signing),
    nameOf({ ...question, interactionId: 'int_2' }, signing),
    nameOf({ ...question, hash: 'i' }, signing),
  ];
  expect(new Set(names).size).toBe(names.length);
});

import { createHmac } from 'node:crypto';
import { ProtocolError } from '@modelcontextprotocol/server';
import { expect, test } from 'vitest';
import { callHash, type RequestState, readState, signState } from './request-state.ts';

const key = 'a key of this installation';
const call = callHash('execute', 'return 1');
const expected = { ownerId: 'key_1', call, now: 1_000 };
const state: RequestState = {
  ownerId: 'key_1',
  call,
  executionId: 'exe_1',
  asked: [{ interactionId: 'int_1', hash: 'h', isForm: true }],
  putOff: [],
  round: 0,
  expiresAt: 2_000,
};

function reasonOf(text: string, against = expected): unknown {
  try {
    readState(text, key, against);
  } catch (error) {
    if (error instanceof ProtocolError) return { code: error.code, ...(error.data as object) };
    throw error;
  }
  return 'taken';
}

const forged = { code: -32_602, reason: 'forged' };

test('A state survives signing and reading', () => {
  expect(readState(signState(state, key), key, expected)).toEqual(state);
});

test('A changed, cut, combined or foreign state is rejected', () => {
  const signed = signState(state, key);
  const [body = '', signature = ''] = signed.split('.');
  const other = signState({ ...state, executionId: 'exe_2' }, key).split('.');
  const unsigned = Buffer.from(JSON.stringify({ ...state, expiresAt: 9e15 })).toString('base64url');
  const forgeries = [
    '',
    '.',
    body,
    `${body}.`,
    `.${signature}`,
    `${body}.${signature}.`,
    `${body}.${signature}.${signature}`,
    `${body}.${other[1]}`,
    `${other[0]}.${signature}`,
    `${unsigned}.${signature}`,
    `${unsigned}.`,
    signed.slice(0, -1),
    signState(state, 'another key'),
    // Signed with the right key for another purpose.
    `${body}.${createHmac('sha256', key).update(body).digest('base64url')}`,
    'x'.repeat(200_000),
    JSON.stringify(state),
  ];
  for (const forgery of forgeries)
    expect([forgery.slice(0, 40), reasonOf(forgery)]).toEqual([forgery.slice(0, 40), forged]);
});

test('A state of another key or call, or an expired one, is rejected', () => {
  const signed = signState(state, key);
  expect(reasonOf(signed, { ...expected, ownerId: 'key_2' })).toMatchObject({ reason: 'otherKey' });
  for (const another of [callHash('execute', 'return 2'), callHash('resume', 'return 1')]) {
    expect(reasonOf(signed, { ...expected, call: another })).toMatchObject({ reason: 'otherCall' });
  }
  expect(reasonOf(signed, { ...expected, now: 2_000 })).toMatchObject({
    reason: 'expired',
    executionId: 'exe_1',
  });
});

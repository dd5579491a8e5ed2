import { expect, test } from 'vitest';
import { OpenCall, OpenCalls } from './open-calls.ts';

const place = { ownerId: 'key_1', sessionId: 's', requestId: 1 };

function recorded() {
  const cancelled: string[] = [];
  return { cancelled, call: new OpenCall((id) => cancelled.push(id)) };
}

test('a call is cancelled once, whether its run has begun or not', () => {
  const calls = new OpenCalls();
  const { call, cancelled } = recorded();
  calls.add(place, call);
  calls.cancel(place);
  expect(cancelled).toEqual([]);
  call.began('exe_1');
  calls.cancel(place);
  expect(cancelled).toEqual(['exe_1']);
});

test('neither another key, session or id cancels it, nor one that has been answered', () => {
  const calls = new OpenCalls();
  const { call, cancelled } = recorded();
  const forget = calls.add(place, call);
  call.began('exe_1');
  for (const other of [{ ownerId: 'key_2' }, { sessionId: '' }, { requestId: '1' }, { requestId: 2 }]) {
    calls.cancel({ ...place, ...other });
  }
  forget();
  calls.cancel(place);
  expect(cancelled).toEqual([]);
});

test('a notification that overtakes its call in a session still counts, and without one it does not', () => {
  const calls = new OpenCalls();
  for (const [sessionId, expected] of [
    ['s', ['exe_1']],
    ['', []],
  ] as const) {
    const { call, cancelled } = recorded();
    calls.cancel({ ...place, sessionId });
    calls.add({ ...place, sessionId }, call);
    call.began('exe_1');
    expect(cancelled).toEqual(expected);
  }
});

test('long ids are not kept for later', () => {
  const calls = new OpenCalls();
  const { call, cancelled } = recorded();
  const long = { ...place, requestId: 'x'.repeat(1_000_000) };
  calls.cancel(long);
  calls.add(long, call);
  call.began('exe_1');
  expect(cancelled).toEqual([]);
  calls.cancel(long);
  expect(cancelled).toEqual(['exe_1']);
});

test('of two clients without a session that use the same id, neither is taken for the other', () => {
  const calls = new OpenCalls();
  const [a, b] = [recorded(), recorded()];
  calls.add({ ...place, sessionId: '' }, a.call);
  const forget = calls.add({ ...place, sessionId: '' }, b.call);
  a.call.began('exe_a');
  calls.cancel({ ...place, sessionId: '' });
  forget();
  expect(a.cancelled).toEqual([]);
  calls.cancel({ ...place, sessionId: '' });
  expect(a.cancelled).toEqual(['exe_a']);
});

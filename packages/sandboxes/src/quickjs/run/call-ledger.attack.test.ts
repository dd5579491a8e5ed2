import { expect, test } from 'vitest';
import { defaultLimits } from '../limits.ts';
import { countParts } from '../messages/json-parts.ts';
import { CallLedger } from './call-ledger.ts';

/* The server parses each input, so what it parses is bounded, also if a lane does not check it. */

function ledgerOf(callParts: number) {
  const sent: string[] = [];
  const hooks = { onCall: ({ input }: { input: string }) => sent.push(input) };
  const events = { onAnswer() {}, onBytes() {} };
  return { ledger: new CallLedger(undefined, hooks as never, { ...defaultLimits, callParts }, events), sent };
}

test('An input with more objects, lists and keys than the limit is not parsed', () => {
  const { ledger, sent } = ledgerOf(3);
  // It is no JSON either, so a `SyntaxError` would show that it was parsed.
  expect(() => ledger.make(0, 'a.b', Buffer.from('[[[['))).toThrow(RangeError);
  expect(() => ledger.make(0, 'a.b', Buffer.from('[[['))).toThrow(SyntaxError);
  ledger.make(0, 'a.b', Buffer.from('[[["{[:"]]]'));
  expect(sent).toEqual(['[[["{[:"]]]']);
});

test.each([
  ['1', 0],
  ['"{[:"', 0],
  ['{"a":1,"b":[]}', 4],
  ['{ "a\\":{" : "\\\\", "[" : {} }', 4],
  ['"\\', 0],
])('The parts of %s are %i', (json, parts) => {
  expect(countParts(Buffer.from(json))).toBe(parts);
});

import { expect, test } from 'vitest';
import type { StoredEvent } from '../../ports/journal-event.ts';
import { callViews } from './call-view.ts';
import { RecordedJson, readRecorded, writeRecorded } from './recorded-json.ts';

test('A call whose input is not JSON is shown as text, among the others', () => {
  const at = new Date(0);
  const requested = (index: number, input: string) =>
    ({ seq: index, at, type: 'call.requested', index, path: 'a.b', input, inputHash: 'h' }) as StoredEvent;
  const views = callViews('x', [requested(0, '{ not json'), requested(1, '{"a":1}')], false);
  expect(views.map(({ input }) => input)).toEqual(['{ not json', { a: 1 }]);
});

test('Large JSON is written as it was recorded, without being parsed', () => {
  const large = `{ "n": 1.50, "text": "${'x'.repeat(100_000)}$&$1" }`;
  const value = {
    small: readRecorded('[1]'),
    items: [{ input: readRecorded(large), result: readRecorded(large) }],
  };
  expect(value.items[0]?.input).toBeInstanceOf(RecordedJson);
  expect(writeRecorded(value)).toBe(`{"small":[1],"items":[{"input":${large},"result":${large}}]}`);
  expect(writeRecorded({ a: [1] })).toBe('{"a":[1]}');
});

import { expect, test } from 'vitest';
import type { StoredEvent } from '../../ports/journal-event.ts';
import { callViews } from './call-view.ts';

test('A call whose input is not JSON is shown as text, among the others', () => {
  const at = new Date(0);
  const requested = (index: number, input: string) =>
    ({ seq: index, at, type: 'call.requested', index, path: 'a.b', input, inputHash: 'h' }) as StoredEvent;
  const views = callViews('x', [requested(0, '{ not json'), requested(1, '{"a":1}')], false);
  expect(views.map(({ input }) => input)).toEqual(['{ not json', { a: 1 }]);
});

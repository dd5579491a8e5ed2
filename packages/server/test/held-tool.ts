import type { TestServer } from './server.ts';

/** Lets `notes.list` answer only when the test says so. `calls` has the signal of each call. */
export function heldTool({ notes }: Pick<TestServer, 'notes'>) {
  const calls: AbortSignal[] = [];
  let answer = () => {};
  const answered = new Promise<void>((resolve) => {
    answer = resolve;
  });
  notes.instead.set('notes.list', async (_, signal) => {
    calls.push(signal);
    await answered;
    return { type: 'value', value: [] };
  });
  return {
    calls,
    answer() {
      notes.instead.delete('notes.list');
      answer();
    },
  };
}

import type { Client } from '@executor/client';
import { type Execution, ExecutorError } from '@executor/protocol';
import { afterEach, expect, test, vi } from 'vitest';
import { SteadyServer } from './steady-server.ts';
import { withWholeResult } from './whole-result.ts';

const execution = {
  id: 'exe_1',
  status: 'completed',
  result: 'beg…',
  omitted: { result: { artifactId: 'art_1', bytes: 11, shownBytes: 3, hint: 'There is more.' } },
} as Execution;

function serverWith(get: () => Promise<{ bytes: Uint8Array }>): SteadyServer {
  return new SteadyServer({ artifacts: { get } } as unknown as Client);
}

afterEach(() => {
  process.exitCode = undefined;
  vi.restoreAllMocks();
});

test('all of a result takes the place of what was shown of it', async () => {
  const server = serverWith(async () => ({ bytes: new TextEncoder().encode('"beginning"') }));
  const whole = await withWholeResult(execution, server, { json: true });
  expect(whole).toEqual({ id: 'exe_1', status: 'completed', result: 'beginning' });
});

test('where all of a result cannot be had, what there is of it is kept, and the exit code tells', async () => {
  const said = vi.spyOn(console, 'error').mockImplementation(() => {});
  const server = serverWith(async () => {
    throw new ExecutorError('notFound', 'There is no artifact "art_1".');
  });
  expect(await withWholeResult(execution, server, { json: true })).toEqual(execution);
  expect(said).toHaveBeenCalledWith(expect.stringContaining('There is no artifact "art_1".'));
  expect(process.exitCode).toBe(1);
});

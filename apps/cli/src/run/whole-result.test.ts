import type { Client } from '@executor/client';
import { type Execution, ExecutorError } from '@executor/protocol';
import { expect, test } from 'vitest';
import { CapturedEnvironment } from '../../test/captured-environment.ts';
import { SteadyServer } from './steady-server.ts';
import { withWholeResult } from './whole-result.ts';

const execution = {
  id: 'exe_1',
  status: 'completed',
  result: 'beg…',
  omitted: { result: { artifactId: 'art_1', bytes: 11, shownBytes: 3, hint: 'There is more.' } },
} as Execution;

function serverWith(get: () => Promise<{ bytes: Uint8Array }>): SteadyServer {
  return new SteadyServer(new CapturedEnvironment(), { artifacts: { get } } as unknown as Client);
}

test('The whole result replaces the cut one', async () => {
  const server = serverWith(async () => ({ bytes: new TextEncoder().encode('"beginning"') }));
  const whole = await withWholeResult(new CapturedEnvironment(), execution, server, { json: true });
  expect(whole).toEqual({ id: 'exe_1', status: 'completed', result: 'beginning' });
});

test('The cut result is kept with exit code 1 if the whole one cannot be read', async () => {
  const environment = new CapturedEnvironment();
  const server = serverWith(async () => {
    throw new ExecutorError('notFound', 'There is no artifact "art_1".');
  });
  expect(await withWholeResult(environment, execution, server, { json: true })).toEqual(execution);
  expect(environment.errorText).toContain('There is no artifact "art_1".');
  expect(environment.exitCode).toBe(1);
});

import { ExecutorError } from '@executor/protocol';
import type { Environment } from '../../environment.ts';
import { roleProcess } from '../../role-process.ts';

const maxAtOnce = 10_000;

export async function worker(
  environment: Environment,
  { concurrency }: { concurrency?: string },
): Promise<void> {
  await roleProcess(environment, 'worker', { concurrency: readConcurrency(concurrency) });
}

function readConcurrency(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const number = Number(text);
  if (/^\d+$/.test(text) && number >= 1 && number <= maxAtOnce) return number;
  throw new ExecutorError('usage', `--concurrency must be a number from 1 to ${maxAtOnce}, got "${text}".`);
}

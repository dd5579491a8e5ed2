import { CommanderError } from 'commander';
import type { Environment } from './environment.ts';
import { createProgram } from './program.ts';

export { Environment } from './environment.ts';

/** Runs one command line and returns its exit code. */
export async function runCommandLine(args: string[], environment: Environment): Promise<number> {
  const json = args.includes('--json');
  try {
    await createProgram(environment, args).parseAsync(args, { from: 'user' });
  } catch (error) {
    if (error instanceof CommanderError) environment.exitCode = error.exitCode === 0 ? 0 : 2;
    else
      environment.exitCode = await (await import('./report-error.ts')).reportError(environment, error, json);
  }
  return environment.exitCode;
}

import { CommanderError } from 'commander';
import { createProgram } from './program.ts';
import { reportError } from './report-error.ts';

/** Started by bin/executor.js. The exit code is set, not forced: what is still being printed is printed. */
try {
  await createProgram().parseAsync();
} catch (error) {
  if (error instanceof CommanderError) process.exitCode = error.exitCode === 0 ? 0 : 2;
  else process.exitCode = await reportError(error, process.argv.includes('--json'));
}

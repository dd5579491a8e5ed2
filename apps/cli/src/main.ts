import { CommanderError } from 'commander';
import { createProgram } from './program.ts';
import { reportError } from './report-error.ts';

/** Started by bin/executor.js. The exit code is set, not forced: what is still being printed is printed. */
const json = process.argv.includes('--json');
// Whoever read our output has enough of it (`executor logs | head`): that is no failure.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit();
  throw error;
});
try {
  await createProgram(json).parseAsync();
} catch (error) {
  if (error instanceof CommanderError) process.exitCode = error.exitCode === 0 ? 0 : 2;
  else process.exitCode = await reportError(error, json);
}

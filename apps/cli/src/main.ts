import { runCommandLine } from './command-line.ts';
import { Environment } from './environment.ts';

/** Started by bin/executor.js. The exit code is set, not forced, so that pending output is still written. */
const { stdout, env, argv } = process;
// A reader that closes the pipe early (`executor logs | head`) is not an error.
stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit();
  throw error;
});
const environment = new Environment({
  get stdin() {
    return process.stdin;
  },
  stdout,
  get stderr() {
    return process.stderr;
  },
  variables: env,
  cwd: process.cwd(),
  signals: process,
  exit: () => process.exit(),
});
const code = await runCommandLine(argv.slice(2), environment);
if (code !== 0) process.exitCode = code;

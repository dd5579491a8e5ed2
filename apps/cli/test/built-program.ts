import { fileURLToPath } from 'node:url';

/** The program that users start. */
export const program = fileURLToPath(new URL('../bin/executor.js', import.meta.url));

const built: typeof import('../src/command-line.ts') = await import(
  new URL('../dist/command-line.js', import.meta.url).href
);

/**
 * Runs one command line in this process, with the code of the built program. The sources would not do: commands find their files and the
 * program of the daemon beside the built code.
 */
export const { runCommandLine } = built;

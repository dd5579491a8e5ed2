import { StdioProcess } from '../../src/mcp/stdio/stdio-process.ts';

/* Holds a program with a descendant, and prints both process ids. The test kills this process. */
const program = 'trap "" TERM HUP INT; sleep 600 & echo "$$ $!"; wait';
const { child } = new StdioProcess({
  command: 'sh',
  args: ['-c', program],
  env: { PATH: process.env.PATH ?? '' },
});
child.stdout?.pipe(process.stdout);

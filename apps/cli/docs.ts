import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Command } from 'commander';
import { Environment } from './src/environment.ts';
import { createProgram } from './src/program.ts';

/** docs/reference/cli.md: the help of every command. */
export function commandLineDocument(): string {
  const { stdin, stdout, stderr } = process;
  const streams = { stdin, stdout, stderr };
  const environment = new Environment({ ...streams, variables: {}, cwd: '/', signals: process });
  const program = createProgram(environment);
  return [
    '# Command line',
    '',
    'Written from the help texts by `npm run docs`.',
    ...section(program, []),
  ].join('\n');
}

function section(command: Command, path: string[]): string[] {
  const name = [...path, command.name()];
  const subcommands = command
    .createHelp()
    .visibleCommands(command)
    .filter((subcommand) => subcommand.name() !== 'help');
  return [
    '',
    `${'#'.repeat(Math.min(name.length + 1, 3))} ${name.join(' ')}`,
    '',
    '```text',
    helpOf(command),
    '```',
    ...subcommands.flatMap((subcommand) => section(subcommand, name)),
  ];
}

/** All that `--help` prints; the examples are added to it as it is printed, and cannot be had otherwise. */
function helpOf(command: Command): string {
  let text = '';
  command.configureOutput({
    getOutHelpWidth: () => 110,
    writeOut: (part) => {
      text += part;
    },
  });
  command.outputHelp();
  return text.trim();
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  writeFileSync(new URL('../../docs/reference/cli.md', import.meta.url), `${commandLineDocument()}\n`);
}

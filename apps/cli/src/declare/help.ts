import { type Command, Option } from 'commander';

/** The option of every command that prints data. */
export const json = () => new Option('--json', 'print JSON, for scripts');

/** The examples at the end of every help text. */
export function examples(...lines: string[]): string {
  return `\nExamples:\n${lines.map((line) => `  $ ${line}`).join('\n')}`;
}

/** Collects the values of an option that may be repeated. `before` is false after its `--no-` form. */
export function collect(value: string, before: string[] | false = []): string[] {
  return [...(before || []), value];
}

/** The names of commands that run if a group is called without a command. */
const defaults: ReadonlySet<string> = new Set(['ls', 'list', 'status']);

/** Rejects an unknown command of a group, which commander would pass to the default command as an argument. */
export function refuseUnknownCommands(program: Command): void {
  for (const group of program.commands) {
    const listing = group.commands.find((command) => defaults.has(command.name()));
    listing?.allowExcessArguments().hook('preAction', async (command) => {
      const [word] = command.args;
      if (word === undefined || command.args.length <= command.registeredArguments.length) return;
      const { nearest } = await import('@executor/protocol');
      const names = group.commands.map((one) => one.name());
      const meant = nearest(word, names);
      const { length: maximum } = command.registeredArguments;
      if (!meant && maximum > 0)
        command.error(`error: '${command.name()}' takes at most ${maximum}, got: ${command.args.join(' ')}`, {
          exitCode: 2,
        });
      const hint = meant ? `Did you mean ${meant}?` : `There are: ${names.join(', ')}.`;
      command.error(`error: unknown command '${word}' of '${group.name()}'. ${hint}`, { exitCode: 2 });
    });
  }
}

import { type Command, Option } from 'commander';

/** What every command that prints data takes. */
export const json = () => new Option('--json', 'print JSON, for scripts');

/** The examples with which every help text ends. */
export function examples(...lines: string[]): string {
  return `\nExamples:\n${lines.map((line) => `  $ ${line}`).join('\n')}`;
}

/** Collects the values of an option that may be repeated. `before` is false after its `--no-` form. */
export function collect(value: string, before: string[] | false = []): string[] {
  return [...(before || []), value];
}

/** What a group of commands does where none is named. */
const defaults: ReadonlySet<string> = new Set(['ls', 'list', 'status']);

/** A word that is no command of a group would be taken for an argument of its default one: it is refused with the command that was meant. */
export function refuseUnknownCommands(program: Command): void {
  for (const group of program.commands) {
    const listing = group.commands.find((command) => defaults.has(command.name()));
    listing?.allowExcessArguments().hook('preAction', async (command) => {
      const [word] = command.args;
      if (word === undefined || command.args.length <= command.registeredArguments.length) return;
      const { nearest } = await import('@executor/protocol');
      const names = group.commands.map((one) => one.name());
      const meant = nearest(word, names);
      const { length: most } = command.registeredArguments;
      if (!meant && most > 0)
        command.error(`error: '${command.name()}' takes at most ${most}, got: ${command.args.join(' ')}`, {
          exitCode: 2,
        });
      const hint = meant ? `Did you mean ${meant}?` : `There are: ${names.join(', ')}.`;
      command.error(`error: unknown command '${word}' of '${group.name()}'. ${hint}`, { exitCode: 2 });
    });
  }
}

import { Option } from 'commander';

/** What every command that prints data takes. */
export const json = () => new Option('--json', 'print JSON, for scripts');

/** The examples with which every help text ends. */
export function examples(...lines: string[]): string {
  return `\nExamples:\n${lines.map((line) => `  $ ${line}`).join('\n')}`;
}

/** For an option that may be given several times. */
export function collect(value: string, before: string[] = []): string[] {
  return [...before, value];
}

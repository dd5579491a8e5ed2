import type { Command } from 'commander';
import type { Environment } from '../../environment.ts';

interface Words {
  /** The words that may follow each path of commands: `keys` → ls, create, rm, --help. */
  paths: Map<string, string[]>;
  /** The values of each option with fixed choices, by path and option: `keys create --kind` → agent, person. */
  values: Map<string, string[]>;
  /** The options that take a value, in the same form. */
  valued: Set<string>;
}

/** Options whose value is a file. */
const fileOptions = ['--file', '--document'];

const shells: Record<string, (words: Words) => string> = { bash, zsh, fish };

export function completion(environment: Environment, program: Command, shell: string): void {
  const words = { paths: new Map(), values: new Map(), valued: new Set<string>() };
  collect(program, [], words);
  environment.print(shells[shell]?.(words));
}

function collect(command: Command, path: string[], words: Words): void {
  const help = command.createHelp();
  const subcommands = help.visibleCommands(command).map((subcommand) => subcommand.name());
  const options = help.visibleOptions(command);
  const choices = command.registeredArguments.flatMap((argument) => argument.argChoices ?? []);
  words.paths.set(path.join(' '), [
    ...subcommands,
    ...choices,
    ...options.map((option) => option.long ?? ''),
  ]);
  for (const { long = '', argChoices, required } of options) {
    const key = [...path, long].join(' ');
    if (argChoices) words.values.set(key, argChoices);
    if (required) words.valued.add(key);
  }
  for (const subcommand of command.commands) {
    if (subcommands.includes(subcommand.name())) collect(subcommand, [...path, subcommand.name()], words);
  }
}

/** The text works in bash and zsh. The typed commands form the path; arguments and values are skipped. */
function findWords({ paths, values }: Words): string {
  const known = [...paths.keys()].filter((path) => path !== '').map((path) => `"${path}"`);
  const cases = (entries: Map<string, string[]>) =>
    [...entries].map(([key, next]) => `    "${key}") found="${next.join(' ')}" ;;`).join('\n');
  return `  for typed in "\${before[@]}"; do
    case "\${at:+$at }$typed" in
      ${known.join('|')}) at="\${at:+$at }$typed" ;;
    esac
    previous="$typed"
  done
  case "$at" in
${cases(paths)}
  esac
  case "\${at:+$at }$previous" in
${cases(values)}
  esac`;
}

function bash(words: Words): string {
  return `_executor() {
  local current="\${COMP_WORDS[COMP_CWORD]}" at="" found="" typed previous=""
  local before=("\${COMP_WORDS[@]:1:COMP_CWORD-1}")
${findWords(words)}
  COMPREPLY=($(compgen -W "$found" -- "$current"))
}
complete -o default -F _executor executor`;
}

function zsh(words: Words): string {
  return `#compdef executor
_executor() {
  local at="" found="" typed previous=""
  local -a before
  before=("\${(@)words[2,CURRENT-1]}")
${findWords(words)}
  case "$previous" in
    ${fileOptions.join('|')}) _files; return ;;
  esac
  compadd -- \${=found}
}
compdef _executor executor`;
}

function fish({ paths, values, valued }: Words): string {
  const lines = [...paths].flatMap(([path, next]) =>
    next.map((word) => {
      const condition = `__executor_at ${path}`.trim();
      if (!word.startsWith('--')) return `complete -c executor -f -n '${condition}' -a ${word}`;
      const key = `${path} ${word}`.trim();
      const choices = values.get(key);
      const value = choices ? ` -x -a '${choices.join(' ')}'` : valued.has(key) ? takesValue(word) : '';
      return `complete -c executor -n '${condition}' -l ${word.slice(2)}${value}`;
    }),
  );
  const known = [...paths.keys()].filter((path) => path !== '').map((path) => `'${path}'`);
  return `function __executor_at
  set -l at
  for typed in (commandline -opc)[2..-1]
    contains -- (string join ' ' -- $at $typed) ${known.join(' ')}; and set at $at $typed
  end
  test "$at" = "$argv"
end
${lines.join('\n')}`;
}

function takesValue(option: string): string {
  return fileOptions.includes(option) ? ' -r -F' : ' -x';
}

import { ExecutorError } from '@executor/protocol';
import type { Command } from 'commander';

/** Words that may follow each path of commands: `keys` → ls, create, rm, --help. */
type Words = Map<string, string[]>;

const shells: Record<string, (words: Words) => string> = { bash, zsh, fish };

export function completion(program: Command, shell: string): void {
  const script = shells[shell];
  if (script === undefined) {
    throw new ExecutorError(
      'usage',
      `There are completions for ${Object.keys(shells).join(', ')}, not for "${shell}".`,
    );
  }
  console.log(script(collect(program)));
}

function collect(command: Command, path: string[] = [], words: Words = new Map()): Words {
  const subcommands = command.createHelp().visibleCommands(command);
  const options = command.createHelp().visibleOptions(command);
  words.set(path.join(' '), [
    ...subcommands.map((subcommand) => subcommand.name()),
    ...options.map((option) => option.long ?? option.short ?? ''),
  ]);
  for (const subcommand of subcommands) {
    if (subcommand.name() !== 'help') collect(subcommand, [...path, subcommand.name()], words);
  }
  return words;
}

function cases(words: Words): string {
  return [...words].map(([path, next]) => `    "${path}") words="${next.join(' ')}" ;;`).join('\n');
}

/** The commands typed so far are the words that are not options; the longest known path decides. */
function bash(words: Words): string {
  return `_executor() {
  local current="\${COMP_WORDS[COMP_CWORD]}" path="" words="" word
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    [[ $word == -* ]] || path="\${path:+$path }$word"
  done
  case "$path" in
${cases(words)}
  esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -F _executor executor`;
}

function zsh(words: Words): string {
  return `#compdef executor
_executor() {
  local path="" words_found="" word words
  for word in "\${(@)words[2,CURRENT-1]}"; do
    [[ $word == -* ]] || path="\${path:+$path }$word"
  done
  case "$path" in
${cases(words).replaceAll('words=', 'words_found=')}
  esac
  compadd -- \${=words_found}
}
compdef _executor executor`.replace(' words\n', '\n');
}

function fish(words: Words): string {
  const lines = [...words].flatMap(([path, next]) =>
    next.map((word) => {
      const condition = path === '' ? '__fish_use_subcommand' : `__executor_at ${path}`;
      return word.startsWith('--')
        ? `complete -c executor -n '${condition}' -l ${word.slice(2)}`
        : `complete -c executor -f -n '${condition}' -a ${word}`;
    }),
  );
  return `function __executor_at
  set -l typed (commandline -opc)[2..-1]
  set -l path (string match -v -- '-*' $typed)
  test "$path" = "$argv"
end
${lines.join('\n')}`;
}

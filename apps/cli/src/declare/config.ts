import { Argument, type Command } from 'commander';
import type { Environment } from '../environment.ts';
import { examples, json } from './help.ts';

export function addConfigCommands(environment: Environment, program: Command): void {
  const config = program
    .command('config')
    .description('read and change the configuration; environment variables override the file')
    .addHelpText(
      'after',
      examples('executor config list', 'executor config set port 9000', 'executor config unset port'),
    );
  const run = () => import('../commands/config/config.ts');
  config
    .command('list', { isDefault: true })
    .alias('ls')
    .description('show every key, its value and its origin')
    .addOption(json())
    .addHelpText('after', examples('executor config list', 'executor config list --json'))
    .action(async (options) => (await run()).listConfiguration(environment, options));
  config
    .command('get <KEY>')
    .description('print one value')
    .addOption(json())
    .addHelpText('after', examples('executor config get port'))
    .action(async (key, options) => (await run()).getConfiguration(environment, key, options));
  config
    .command('set <KEY> <VALUE>')
    .description('write one value to config.json')
    .addHelpText(
      'after',
      examples('executor config set port 9000', 'executor config set allowedHosts executor.example.com'),
    )
    .action(async (key, value) => (await run()).setConfiguration(environment, key, value));
  config
    .command('unset <KEY>')
    .description('remove one value from config.json')
    .addHelpText('after', examples('executor config unset port'))
    .action(async (key) => (await run()).setConfiguration(environment, key, undefined));
  config
    .command('path')
    .description('print the path of config.json')
    .addHelpText('after', examples('executor config path'))
    .action(async () => (await run()).printConfigurationPath(environment));
}

export function addCompletionCommand(environment: Environment, program: Command): void {
  program
    .command('completion')
    .addArgument(new Argument('<SHELL>').choices(['bash', 'zsh', 'fish']))
    .description('print the completion script of a shell')
    .addHelpText(
      'after',
      examples(
        'source <(executor completion bash)',
        'executor completion fish > ~/.config/fish/completions/executor.fish',
      ),
    )
    .action(async (shell) =>
      (await import('../commands/config/completion.ts')).completion(environment, program, shell),
    );
}

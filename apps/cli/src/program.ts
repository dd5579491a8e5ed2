import { Argument, Command, Option, type OutputConfiguration } from 'commander';
import { addApprovalCommands } from './declare/approvals.ts';
import { addConnectCommand } from './declare/connect.ts';
import { examples, json, refuseUnknownCommands } from './declare/help.ts';
import { addPolicyCommands } from './declare/policy.ts';
import { addRunCommands } from './declare/runs.ts';
import { addSourceCommands } from './declare/sources.ts';
import { addToolCommands } from './declare/tools.ts';
import type { Environment } from './environment.ts';
import { version } from './version.ts';

/** The command line, declared. What a command does is loaded when it runs, so that `--help` costs next to nothing. */
export function createProgram(environment: Environment, { json: asJson = false } = {}): Command {
  const program = new Command('executor')
    .description('A local-first execution environment and control plane for AI agents.')
    .version(version, '-v, --version', 'print the version')
    .helpOption('-h, --help', 'show help')
    .helpCommand('help [COMMAND]', 'show help for a command')
    .configureHelp({ showGlobalOptions: false })
    .showHelpAfterError(asJson ? false : '(add --help for what it takes)')
    .exitOverride()
    .configureOutput({ ...outputOf(environment), ...(asJson && { outputError: printUsageError }) })
    .addHelpText('after', programHelp);
  addRunCommands(environment, program);
  addSourceCommands(environment, program);
  addToolCommands(environment, program);
  addApprovalCommands(environment, program);
  addPolicyCommands(environment, program);
  addDaemonCommands(environment, program);
  addRoleCommands(environment, program);
  addLookCommands(environment, program);
  addKeyCommands(environment, program);
  addMcpCommand(environment, program);
  addConnectCommand(environment, program);
  addConfigCommands(environment, program);
  addCompletionCommand(environment, program);
  refuseUnknownCommands(program);
  return program;
}

/** Help and usage errors go to the streams of the environment. */
function outputOf(environment: Environment): OutputConfiguration {
  const { stdout, stderr } = environment;
  return {
    writeOut: (text) => stdout.write(text),
    writeErr: (text) => stderr.write(text),
    getOutHelpWidth: () => stdout.columns ?? 80,
    getErrHelpWidth: () => stderr.columns ?? 80,
    getOutHasColors: () => environment.hasColors(stdout),
    getErrHasColors: () => environment.hasColors(stderr),
  };
}

const programHelp = `
Start here:
  $ executor up            start the daemon (commands that need it start it too)
  $ executor call 'return 1 + 1'
                           run code, and see what comes of it
  $ executor sources add https://api.example.com/openapi.json
                           connect an API; its operations become tools
  $ executor connect       let Cursor, Claude Code, Codex and others use it
  $ executor web           open the UI, signed in
  $ executor doctor        see what is wrong, and how to mend it

Exit codes: 0 done, 1 failed, 2 wrong usage, 3 needs a person, 4 no server, 5 still running.
Environment: EXECUTOR_HOME, EXECUTOR_HOST, EXECUTOR_PORT, EXECUTOR_DATABASE_URL; EXECUTOR_URL and
EXECUTOR_TOKEN use another server. \`executor config list\` shows what is in force.`;

function printUsageError(text: string, write: (text: string) => void): void {
  const message = text.trim().replace(/^error: /, '');
  write(`${JSON.stringify({ error: { code: 'usage', message } })}\n`);
}

function addDaemonCommands(environment: Environment, program: Command): void {
  program
    .command('up')
    .description('start the daemon, if it does not run yet')
    .option('--foreground', 'stay in this terminal until Ctrl-C, with the log shown')
    .option('--port <N>', 'the port to listen on (default 8788)')
    .addOption(json())
    .addHelpText('after', examples('executor up', 'executor up --port 9000', 'executor up --foreground'))
    .action(async (options) => (await import('./commands/up.ts')).up(environment, options));
  program
    .command('down')
    .description('stop the daemon; requests and calls under way are finished')
    .option('--force', 'end it after 5 s, whatever is under way')
    .addOption(json())
    .addHelpText('after', examples('executor down', 'executor down --force'))
    .action(async (options) => (await import('./commands/down.ts')).down(environment, options));
  program
    .command('restart')
    .description('stop the daemon and start it again')
    .option('--port <N>', 'the port to listen on')
    .option('--force', 'end it after 5 s, whatever is under way')
    .addOption(json())
    .addHelpText('after', examples('executor restart', 'executor restart --force'))
    .action(async (options) => (await import('./commands/restart.ts')).restart(environment, options));
  // What `up` starts: the daemon itself, which reports to `up` over IPC.
  program
    .command('daemon', { hidden: true })
    .option('--port <N>')
    .action(async (options) =>
      (await import('./daemon/daemon-process.ts')).daemonProcess(environment, options),
    );
}

function addRoleCommands(environment: Environment, program: Command): void {
  program
    .command('server')
    .description(
      'serve the API and the UI without running code; `executor worker` does that (needs Postgres)',
    )
    .option('--port <N>', 'the port to listen on (default 8788)')
    .addHelpText('after', examples('executor server', 'executor server --port 9000'))
    .action(async (options) => (await import('./commands/server.ts')).server(environment, options));
  program
    .command('worker')
    .description('run executions for the servers of the same database (needs Postgres)')
    .option('--concurrency <N>', 'how many executions to hold at once')
    .addHelpText('after', examples('executor worker', 'executor worker --concurrency 20'))
    .action(async (options) => (await import('./commands/worker.ts')).worker(environment, options));
}

function addLookCommands(environment: Environment, program: Command): void {
  program
    .command('status')
    .description('show whether the daemon runs, and where (exit code 4 if it does not)')
    .addOption(json())
    .addHelpText('after', examples('executor status', 'executor status --json'))
    .action(async (options) => (await import('./commands/status.ts')).status(environment, options));
  program
    .command('doctor')
    .description('check this machine and installation, and say how to mend what is wrong')
    .addOption(json())
    .addHelpText('after', examples('executor doctor', 'executor doctor --json'))
    .action(async (options) => (await import('./commands/doctor.ts')).doctor(environment, options));
  program
    .command('logs')
    .description("show the daemon's log")
    .option('-f, --follow', 'go on as new lines come')
    .option('-n, --lines <N>', 'how many of the last lines to show', '100')
    .addOption(json())
    .addHelpText('after', examples('executor logs', 'executor logs -f', 'executor logs -n 1000 --json'))
    .action(async (options) => (await import('./commands/logs.ts')).logs(environment, options));
  program
    .command('web')
    .description('open the web UI in the browser, signed in by a link that works once')
    .option('--print', 'print the link instead of opening it')
    .addOption(json())
    .addHelpText('after', examples('executor web', 'executor web --print'))
    .action(async (options) => (await import('./commands/web.ts')).web(environment, options));
}

function addKeyCommands(environment: Environment, program: Command): void {
  const keys = program
    .command('keys')
    .description('manage API keys, with which agents and programs call the server')
    .addHelpText(
      'after',
      examples(
        'executor keys ls',
        'executor keys create my-agent',
        'executor keys create backup --kind person',
      ),
    );
  const run = () => import('./commands/keys.ts');
  keys
    .command('ls', { isDefault: true })
    .description('list the keys')
    .option('--all', 'revoked ones too')
    .addOption(json())
    .addHelpText('after', examples('executor keys ls', 'executor keys ls --all --json'))
    .action(async (options) => (await run()).listKeys(environment, options));
  keys
    .command('create <NAME>')
    .description('create a key; it is shown this once')
    .addOption(new Option('--kind <KIND>', 'who holds it').choices(['agent', 'person']).default('agent'))
    .option('--allow-dialog', 'approvals may be answered in the dialog of the MCP client that holds it')
    .addOption(json())
    .addHelpText(
      'after',
      examples(
        'executor keys create my-agent',
        'executor keys create my-editor --allow-dialog',
        'executor keys create laptop --kind person --json',
      ),
    )
    .action(async (name, options) => (await run()).createKey(environment, name, options));
  keys
    .command('allow-dialog <ID>')
    .description('let approvals be answered in the dialog of the MCP client that holds a key, or stop that')
    .option('--off', 'answer them at the page and in the terminal alone')
    .addOption(json())
    .addHelpText(
      'after',
      examples(
        'executor keys allow-dialog key_06gy394px4z61fkzfjkqbajp50',
        'executor keys allow-dialog key_06gy394px4z61fkzfjkqbajp50 --off',
      ),
    )
    .action(async (id, options) => (await run()).allowDialog(environment, id, options));
  keys
    .command('rm <ID>')
    .description('revoke a key, at once')
    .addOption(json())
    .addHelpText('after', examples('executor keys rm key_06gy394px4z61fkzfjkqbajp50'))
    .action(async (id, options) => (await run()).removeKey(environment, id, options));
}

function addMcpCommand(environment: Environment, program: Command): void {
  program
    .command('mcp')
    .description('serve MCP on standard input and output, for agent programs that start it themselves')
    .addHelpText('after', examples('executor mcp'))
    .action(async () => (await import('./commands/mcp.ts')).mcp(environment));
}

function addConfigCommands(environment: Environment, program: Command): void {
  const config = program
    .command('config')
    .description('read and change the configuration; the environment wins over the file')
    .addHelpText(
      'after',
      examples('executor config list', 'executor config set port 9000', 'executor config unset port'),
    );
  const run = () => import('./commands/config.ts');
  config
    .command('list', { isDefault: true })
    .alias('ls')
    .description('show every key, its value, and where that comes from')
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
    .description('print where config.json is')
    .addHelpText('after', examples('executor config path'))
    .action(async () => (await run()).printConfigurationPath(environment));
}

function addCompletionCommand(environment: Environment, program: Command): void {
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
      (await import('./commands/completion.ts')).completion(environment, program, shell),
    );
}

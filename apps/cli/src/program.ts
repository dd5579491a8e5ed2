import { requireOwnFolders } from '@executor/home';
import { Command, type OutputConfiguration } from 'commander';
import { addAgentCommands } from './declare/agents.ts';
import { addApprovalCommands } from './declare/approvals.ts';
import { addCompletionCommand, addConfigCommands } from './declare/config.ts';
import { addDaemonCommands } from './declare/daemon.ts';
import { refuseUnknownCommands } from './declare/help.ts';
import { addPolicyCommands } from './declare/policy.ts';
import { addRunCommands } from './declare/runs.ts';
import { addSourceCommands } from './declare/sources.ts';
import { addToolCommands } from './declare/tools.ts';
import type { Environment } from './environment.ts';
import { version } from './version.ts';

interface Group {
  commands: string[];
  declare(environment: Environment, program: Command): void;
}

/** The commands by subject, in the order of the help. */
export const groups: Group[] = [
  { commands: ['call', 'resume', 'executions', 'artifacts'], declare: addRunCommands },
  { commands: ['sources'], declare: addSourceCommands },
  { commands: ['tools'], declare: addToolCommands },
  { commands: ['approvals'], declare: addApprovalCommands },
  { commands: ['policy', 'presence'], declare: addPolicyCommands },
  {
    commands: [
      'up',
      'down',
      'restart',
      'daemon',
      'server',
      'worker',
      'status',
      'doctor',
      'logs',
      'web',
      'sessions',
    ],
    declare: addDaemonCommands,
  },
  { commands: ['keys', 'mcp', 'connect'], declare: addAgentCommands },
  { commands: ['config'], declare: addConfigCommands },
  // Completion reads the declarations of all commands, so no name selects this group alone.
  { commands: [], declare: addCompletionCommand },
];

/**
 * Declares the commands. To start quickly, it declares only the group of the command that `args` begin with, or all groups for help,
 * completion and unknown commands. The action of a command is loaded when it runs.
 */
export function createProgram(environment: Environment, args: string[] = []): Command {
  const asJson = args.includes('--json');
  const program = new Command('executor')
    .description('A local-first execution environment and control plane for AI agents.')
    .version(version, '-v, --version', 'print the version')
    .helpOption('-h, --help', 'show help')
    .helpCommand('help [COMMAND]', 'show help for a command')
    .configureHelp({ showGlobalOptions: false })
    .showHelpAfterError(asJson ? false : '(add --help to see the arguments)')
    .exitOverride()
    .configureOutput({ ...outputOf(environment), ...(asJson && { outputError: printUsageError }) })
    .addHelpText('after', programHelp);
  program.hook('preAction', () => requireOwnHome(environment));
  const called = groups.filter(({ commands }) => commands.includes(args[0] ?? ''));
  for (const { declare } of called.length > 0 ? called : groups) declare(environment, program);
  refuseUnknownCommands(program);
  return program;
}

/** A command for another server uses nothing of this machine's installation but what the environment says. */
function requireOwnHome({ variables, folders }: Environment): void {
  if (!variables.EXECUTOR_URL) requireOwnFolders(folders);
}

/** Writes help and usage errors to the streams of the environment. */
function outputOf(environment: Environment): OutputConfiguration {
  return {
    writeOut: (text) => environment.stdout.write(text),
    writeErr: (text) => environment.stderr.write(text),
    getOutHelpWidth: () => environment.stdout.columns ?? 80,
    getErrHelpWidth: () => environment.stderr.columns ?? 80,
    getOutHasColors: () => environment.hasColors(environment.stdout),
    getErrHasColors: () => environment.hasColors(environment.stderr),
  };
}

const programHelp = `
Start here:
  $ executor up            start the daemon (commands that need it start it too)
  $ executor call 'return 1 + 1'
                           run code and print its result
  $ executor sources add https://api.example.com/openapi.json
                           connect an API; its operations become tools
  $ executor connect       let Cursor, Claude Code, Codex and others use it
  $ executor web           open the UI, signed in
  $ executor doctor        find problems, and how to fix them

Exit codes: 0 done, 1 failed, 2 wrong usage, 3 needs an approval or answer, 4 no server, 5 still running.
Environment: EXECUTOR_HOME, EXECUTOR_HOST, EXECUTOR_PORT, EXECUTOR_DATABASE_URL; EXECUTOR_URL and
EXECUTOR_TOKEN select another server. \`executor config list\` shows the current settings.`;

function printUsageError(text: string, write: (text: string) => void): void {
  const message = text.trim().replace(/^error: /, '');
  write(`${JSON.stringify({ error: { code: 'usage', message } })}\n`);
}

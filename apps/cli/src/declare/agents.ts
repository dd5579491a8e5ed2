import { Argument, type Command, Option } from 'commander';
import { agentClients } from '../agent-clients/clients.ts';
import type { Environment } from '../environment.ts';
import { examples, json } from './help.ts';

const details = `
Clients:
${agentClients.map(({ id, name }) => `  ${id.padEnd(16)} ${name}`).join('\n')}

The entry starts \`executor mcp\` by full paths, so it works from any folder, and
acts as an agent: it can run code, but cannot approve calls. The rest of the file,
comments included, does not change. A backup of the file is kept, and --undo removes
the entry. Without CLIENT the command asks which clients to connect; in a script it
lists them.

--allow-dialog gives the client a key of its own. Answers in the client's own dialog
then count as approvals, so any program that controls the client can approve. Leave
it off to approve in Executor only. --http and EXECUTOR_URL need a key too. --undo
revokes it. If presence is on, creating and revoking keys needs your PIN
(EXECUTOR_PIN, or typed at a terminal).

Exit codes: 0 done, or nothing to do; 1 a client failed (the others are done);
2 wrong usage; 4 no server.`;

export function addAgentCommands(environment: Environment, program: Command): void {
  addKeyCommands(environment, program);
  addMcpCommand(environment, program);
  addConnectCommand(environment, program);
}

function addKeyCommands(environment: Environment, program: Command): void {
  const keys = program
    .command('keys')
    .description('manage the API keys of agents and programs')
    .addHelpText(
      'after',
      examples(
        'executor keys ls',
        'executor keys create my-agent',
        'executor keys create backup --kind person',
      ),
    );
  const run = () => import('../commands/agent/keys.ts');
  keys
    .command('ls', { isDefault: true })
    .description('list the keys')
    .option('--all', 'include revoked keys')
    .addOption(json())
    .addHelpText('after', examples('executor keys ls', 'executor keys ls --all --json'))
    .action(async (options) => (await run()).listKeys(environment, options));
  keys
    .command('create <NAME>')
    .description('create a key; it is shown only once')
    .addOption(new Option('--kind <KIND>', 'who uses the key').choices(['agent', 'person']).default('agent'))
    .option(
      '--allow-dialog',
      'accept approvals that are answered in the dialog of the MCP client with this key',
    )
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
    .description('accept approvals from the dialog of the MCP client with this key, or stop accepting them')
    .option('--off', 'accept answers only from the web UI and the terminal')
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
    .description('revoke a key; it stops working at once')
    .addOption(json())
    .addHelpText('after', examples('executor keys rm key_06gy394px4z61fkzfjkqbajp50'))
    .action(async (id, options) => (await run()).removeKey(environment, id, options));
}

function addMcpCommand(environment: Environment, program: Command): void {
  program
    .command('mcp')
    .description('serve MCP on standard input and output, for agent programs that start a process')
    .addHelpText('after', examples('executor mcp'))
    .action(async () => (await import('../commands/agent/mcp.ts')).mcp(environment));
}

/** Shells complete these names. The command itself reports an unknown name with the nearest known one. */
const clients = new Argument('[CLIENT...]', 'the agent programs, as listed below');
clients.argChoices = agentClients.map(({ id }) => id);

function addConnectCommand(environment: Environment, program: Command): void {
  program
    .command('connect')
    .addArgument(clients)
    .description('add Executor to the MCP configuration of agent programs')
    .option('--all', 'every client found on this machine')
    .option('--project', 'configure the project in this folder, not all projects')
    .option('--http', 'configure the address of the server and a key instead of a program to start')
    .addOption(new Option('--allow-dialog', 'let the client’s own dialog approve calls'))
    .addOption(
      new Option(
        '--no-allow-dialog',
        'do not let it approve calls (the default, unless the client already may)',
      ),
    )
    .option('--print', 'print an entry for any client and write nothing')
    .option('--dry-run', 'show the changes and write nothing')
    .option('--undo', 'remove the entry and revoke its key')
    .option('-y, --yes', 'write without asking')
    .addOption(json())
    .addHelpText(
      'after',
      `${details}\n${examples(
        'executor connect',
        'executor connect cursor claude-code',
        'executor connect --all --yes',
        'executor connect codex --allow-dialog',
        'executor connect vscode --project --dry-run',
        'executor connect --print',
        'executor connect --undo cursor',
      )}`,
    )
    .action(async (names, options) =>
      (await import('../commands/agent/connect.ts')).connectClients(environment, names, options),
    );
}

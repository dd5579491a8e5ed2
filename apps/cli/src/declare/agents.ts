import { Argument, type Command, Option } from 'commander';
import { agentClients } from '../agent-clients/clients.ts';
import type { Environment } from '../environment.ts';
import { examples, json } from './help.ts';

const details = `
Clients:
${agentClients.map(({ id, name }) => `  ${id.padEnd(16)} ${name}`).join('\n')}

The entry starts \`executor mcp\` by full paths, so it works from any folder, and
acts as an agent: it can run code, and approve nothing. Everything else in the
file stays as it is, comments too; the file as it was is kept, and --undo takes
the entry out again. Without CLIENT you are asked which ones; in a script, they
are listed.

--allow-dialog gives the client a key of its own with which the answers that you
give in the client's own dialog count as approvals. Whatever controls the client
can then approve: leave it off where you want to approve in Executor. --http and
EXECUTOR_URL need a key too. --undo revokes it. Making and revoking keys takes
your PIN where presence is on (EXECUTOR_PIN, or asked for at a terminal).

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
    .description('manage API keys, with which agents and programs call the server')
    .addHelpText(
      'after',
      examples(
        'executor keys ls',
        'executor keys create my-agent',
        'executor keys create backup --kind person',
      ),
    );
  const run = () => import('../commands/keys.ts');
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
    .action(async () => (await import('../commands/mcp.ts')).mcp(environment));
}

/** Known to the completion of shells; what is typed wrong is told by the command itself, with the nearest right one. */
const clients = new Argument('[CLIENT...]', 'the agent programs, as listed below');
clients.argChoices = agentClients.map(({ id }) => id);

function addConnectCommand(environment: Environment, program: Command): void {
  program
    .command('connect')
    .addArgument(clients)
    .description('write Executor into the MCP configuration of agent programs')
    .option('--all', 'every client that is found on this machine')
    .option('--project', 'write to the project in this folder, not for all of them')
    .option('--http', 'name the server and a key, instead of a program to start')
    .addOption(new Option('--allow-dialog', 'let the client’s own dialog approve calls'))
    .addOption(new Option('--no-allow-dialog', 'do not (the default, unless the client has it)'))
    .option('--print', 'print the entry, for any client; write nothing')
    .option('--dry-run', 'show what would change; write nothing')
    .option('--undo', 'take the entry out again, and revoke its key')
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
      (await import('../commands/connect.ts')).connectClients(environment, names, options),
    );
}

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

/** Known to the completion of shells; what is typed wrong is told by the command itself, with the nearest right one. */
const clients = new Argument('[CLIENT...]', 'the agent programs, as listed below');
clients.argChoices = agentClients.map(({ id }) => id);

export function addConnectCommand(environment: Environment, program: Command): void {
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

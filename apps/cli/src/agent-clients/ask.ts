import { ExecutorError, printable } from '@executor/protocol';
import type { Environment } from '../environment.ts';
import type { AgentClient, Machine } from './agent-client.ts';
import { fileOf } from './detect.ts';

/** Asks which of the installed clients to connect. */
export async function askClients(
  environment: Environment,
  found: AgentClient[],
  machine: Machine,
): Promise<AgentClient[]> {
  const { chooseSeveral } = await import('../answer/prompts.ts');
  const chosen = await chooseSeveral(
    environment,
    { message: 'Which agents should use Executor? (space selects, enter continues)' },
    found.map((client) => ({
      value: client.id,
      label: client.name,
      hint: fileOf(client, machine) ?? '',
    })),
  );
  if (chosen === undefined) throw cancelled();
  return found.filter(({ id }) => chosen.includes(id));
}

/**
 * Asks whether answers in the client's own dialog count as approvals. "No" is first, so that pressing Enter once too often allows
 * nothing.
 */
export async function askDialog(environment: Environment, { name }: AgentClient): Promise<boolean> {
  const { choose } = await import('../answer/prompts.ts');
  const chosen = await choose(environment, { message: `May ${name}’s own dialog approve calls?` }, [
    { value: 'no', label: 'No, I approve in Executor', hint: 'a program that controls the agent cannot' },
    { value: 'yes', label: `Yes, answers in ${name} count`, hint: 'it gets its own key' },
  ]);
  if (chosen === undefined) throw cancelled();
  return chosen === 'yes';
}

/** Asks whether to make a file with a key readable by its owner only. */
export async function askPrivate(environment: Environment, path: string): Promise<boolean> {
  const { choose } = await import('../answer/prompts.ts');
  const message = `${printable(path)} now contains a key, and other users of this machine can read it. Make it readable by you only?`;
  const chosen = await choose(environment, { message }, [
    { value: 'yes', label: 'Yes', hint: 'chmod 600' },
    { value: 'no', label: 'No, keep its permissions' },
  ]);
  return chosen === 'yes';
}

export async function confirm(environment: Environment, question: string): Promise<boolean> {
  const { choose } = await import('../answer/prompts.ts');
  const chosen = await choose(environment, { message: question }, [
    { value: 'yes', label: 'Yes' },
    { value: 'no', label: 'No' },
  ]);
  if (chosen !== 'yes') environment.printError('Nothing was written.');
  return chosen === 'yes';
}

function cancelled(): ExecutorError {
  return new ExecutorError('usage', 'Nothing was written.');
}

import { ExecutorError, printable } from '@executor/protocol';
import type { Environment } from '../environment.ts';
import type { AgentClient, Machine } from './agent-client.ts';
import { fileOf } from './detect.ts';

/** Which clients to connect, of those that were found. */
export async function askWhich(
  environment: Environment,
  found: AgentClient[],
  machine: Machine,
): Promise<AgentClient[]> {
  const { chooseSeveral } = await import('../answer/prompts.ts');
  const chosen = await chooseSeveral(
    environment,
    { message: 'Which agents shall reach Executor? (space selects, enter goes on)' },
    found.map((client) => ({
      value: client.id,
      label: client.name,
      hint: fileOf(client, machine) ?? '',
    })),
  );
  if (chosen === undefined) throw backedOut();
  return found.filter(({ id }) => chosen.includes(id));
}

/** Whether what is answered in a client's own dialog shall count. No is first: an Enter too many must allow nothing. */
export async function askDialog(environment: Environment, { name }: AgentClient): Promise<boolean> {
  const { choose } = await import('../answer/prompts.ts');
  const chosen = await choose(environment, { message: `May ${name}’s own dialog approve calls?` }, [
    { value: 'no', label: 'No, I approve in Executor', hint: 'whatever controls the agent cannot' },
    { value: 'yes', label: `Yes, what is answered in ${name} counts`, hint: 'with a key of its own' },
  ]);
  if (chosen === undefined) throw backedOut();
  return chosen === 'yes';
}

/** Whether a file that has a key now shall be its owner's alone. */
export async function askPrivate(environment: Environment, path: string): Promise<boolean> {
  const { choose } = await import('../answer/prompts.ts');
  const message = `${printable(path)} holds a key now, and others on this machine can read it. Make it yours alone?`;
  const chosen = await choose(environment, { message }, [
    { value: 'yes', label: 'Yes', hint: 'chmod 600' },
    { value: 'no', label: 'No, leave it as it is' },
  ]);
  return chosen === 'yes';
}

export async function ask(environment: Environment, question: string): Promise<boolean> {
  const { choose } = await import('../answer/prompts.ts');
  const chosen = await choose(environment, { message: question }, [
    { value: 'yes', label: 'Yes' },
    { value: 'no', label: 'No' },
  ]);
  if (chosen !== 'yes') environment.printError('Nothing was written.');
  return chosen === 'yes';
}

function backedOut(): ExecutorError {
  return new ExecutorError('usage', 'Nothing was written.');
}

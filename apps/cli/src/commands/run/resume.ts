import type { Client } from '@executor/client';
import { ExecutorError, isFinished } from '@executor/protocol';
import type { Environment } from '../../environment.ts';
import { Interrupt } from '../../run/interrupt.ts';
import { reportRun } from '../../run/outcome.ts';
import { Screen } from '../../run/screen.ts';
import { SteadyServer } from '../../run/steady-server.ts';
import { timeoutMsOf } from '../../run/timeout.ts';
import { withWholeResult } from '../../run/whole-result.ts';
import { completeId } from '../../server/complete-id.ts';
import { connect } from '../../server/connect.ts';
import { explainMissing } from './executions.ts';

interface ResumeOptions {
  executionId?: string;
  last?: boolean;
  json?: boolean;
  open?: boolean;
  timeout?: string;
}

export async function resume(
  environment: Environment,
  argument: string | undefined,
  options: ResumeOptions,
): Promise<void> {
  const { json = false, open = true } = options;
  const patienceMs = timeoutMsOf(options.timeout);
  const named = namedRun(argument, options);
  const client = await connect(environment);
  const id =
    named === undefined
      ? await lastWaiting(environment, client)
      : await completeId(client, 'execution', named);
  const deadline = Date.now() + patienceMs;
  const execution = await client.executions.get({ id }).catch((error) => explainMissing(client, error, id));
  const screen = new Screen(environment);
  const server = new SteadyServer(environment, client, () =>
    screen.print('The server does not answer. Waiting for it.'),
  );
  if (isFinished(execution.status)) {
    for (const line of execution.logs) screen.log(line);
    return reportRun(environment, await withWholeResult(environment, execution, server, { json }), { json });
  }
  // Most runs have ended by now, so the code that watches runs is loaded only here.
  const { watchRun } = await import('../../run/watch.ts');
  return watchRun(environment, id, {
    server,
    screen,
    interrupt: new Interrupt(environment),
    json,
    open,
    deadline,
  });
}

/** The id of the run. Undefined with --last. */
function namedRun(
  argument: string | undefined,
  { executionId, last = false }: ResumeOptions,
): string | undefined {
  const ids = [...new Set([argument, executionId].filter((id) => id !== undefined))];
  if (ids.length + (last ? 1 : 0) === 1) return ids[0];
  throw new ExecutorError(
    'usage',
    'Choose a run with --execution-id ID, or the newest waiting run with --last.',
  );
}

async function lastWaiting(environment: Environment, client: Client): Promise<string> {
  const { items } = await client.executions.list({ status: 'waiting', limit: 50 });
  // A sleeping run continues without help, so a run with pending questions is preferred.
  const [found] = [...items.filter(({ pendingInteractions }) => pendingInteractions > 0), ...items];
  if (found === undefined)
    throw new ExecutorError('notFound', `No run is waiting. \`executor executions\` lists all runs.`);
  environment.note(`Resuming ${found.id}.`);
  return found.id;
}

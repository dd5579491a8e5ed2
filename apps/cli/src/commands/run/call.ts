import { randomUUID } from 'node:crypto';
import { type Execution, isFinished, type NewExecution } from '@executor/protocol';
import type { Environment } from '../../environment.ts';
import { type CodeOptions, readCode } from '../../run/code.ts';
import { Interrupt } from '../../run/interrupt.ts';
import { reportRun } from '../../run/outcome.ts';
import { Screen } from '../../run/screen.ts';
import { SteadyServer } from '../../run/steady-server.ts';
import { timeoutMsOf } from '../../run/timeout.ts';
import { withWholeResult } from '../../run/whole-result.ts';
import { remoteUrl } from '../../server/access.ts';
import { connect } from '../../server/connect.ts';

interface CallOptions extends CodeOptions {
  json?: boolean;
  open?: boolean;
  timeout?: string;
  runtime?: string;
  typecheck?: boolean;
  idempotencyKey?: string;
  client?: string;
  detach?: boolean;
}

/** Most runs end within this time and need no second request. */
const firstWaitMs = 750;

export async function call(
  environment: Environment,
  argument: string | undefined,
  options: CallOptions,
): Promise<void> {
  const { json = false, open = true } = options;
  const patienceMs = timeoutMsOf(options.timeout);
  const code = await readCode(environment, argument, options);
  const screen = new Screen(environment);
  const client = await connect(environment);
  const server = new SteadyServer(environment, client, () =>
    screen.print('The server does not answer. Waiting for it.'),
  );
  const interrupt = new Interrupt(environment);
  const deadline = Date.now() + patienceMs;
  const execution = await start(environment, server, request(code, options, patienceMs), interrupt);
  if (execution === undefined) return;
  if (options.detach) {
    interrupt.release();
    return json ? environment.printJson(execution) : environment.print(execution.id);
  }
  if (isFinished(execution.status)) {
    interrupt.release();
    for (const line of execution.logs) screen.log(line);
    return reportRun(environment, await withWholeResult(environment, execution, server, { json }), { json });
  }
  // Most runs have ended by now, so the code that watches runs is loaded only here.
  const { watchRun } = await import('../../run/watch.ts');
  return watchRun(environment, execution.id, { server, screen, interrupt, json, open, deadline });
}

function request(
  code: string,
  { runtime, typecheck = true, client, detach = false, idempotencyKey }: CallOptions,
  patienceMs: number,
): NewExecution {
  return {
    code,
    waitMs: detach ? 0 : Math.floor(Math.min(firstWaitMs, patienceMs)),
    // With an idempotency key the request can be repeated if its response is lost, and the code still runs once.
    idempotencyKey: idempotencyKey ?? `cli-${randomUUID()}`,
    ...(runtime !== undefined && { runtimeId: runtime }),
    ...(!typecheck && { typecheck: false }),
    ...(client !== undefined && { clientId: client }),
  };
}

/** Starts the run. Undefined if the user pressed Ctrl-C first. */
async function start(
  environment: Environment,
  server: SteadyServer,
  body: NewExecution,
  interrupt: Interrupt,
): Promise<Execution | undefined> {
  const { signal } = interrupt;
  try {
    // The daemon answered a moment ago, so it is restarting. A remote server may not exist at all.
    if (remoteUrl(environment) !== undefined) return await server.client.executions.create(body, { signal });
    return await server.request((client) => client.executions.create(body, { signal }), signal);
  } catch (error) {
    if (!signal.aborted) throw error;
    interrupt.release();
    environment.exitCode = 130;
    environment.note('\nInterrupted. It is unknown whether the run was started: see `executor executions`.');
    return undefined;
  }
}

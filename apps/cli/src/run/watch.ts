import { ExecutorError } from '@executor/protocol';
import type { AnswerStep } from '../answer/open-question.ts';
import type { Environment } from '../environment.ts';
import { attend } from './attend.ts';
import type { Interrupt } from './interrupt.ts';
import { cancelSentence, reportRun, resumeCommand } from './outcome.ts';
import type { Screen } from './screen.ts';
import type { SteadyServer } from './steady-server.ts';
import { withWholeResult } from './whole-result.ts';

export interface WatchOptions {
  server: SteadyServer;
  screen: Screen;
  interrupt: Interrupt;
  json: boolean;
  /** Whether a browser may be opened. */
  open: boolean;
  deadline: number;
}

const interruptedCode = 130;

/** Watches a run to its end, or as far as it goes without a person, and reports; what `call` and `resume` have in common. */
export async function watchRun(environment: Environment, id: string, options: WatchOptions): Promise<void> {
  const answer = environment.isInteractive ? answerLazily(environment, options) : undefined;
  const attended = await attend(id, { ...options, answer }).catch((error) => {
    throw withWayBack(error, id);
  });
  if (attended.type === 'detached') return detach(environment, id, options);
  options.interrupt.release();
  const { server, json } = options;
  reportRun(environment, await withWholeResult(environment, attended.execution, server, { json }), { json });
}

/** Most runs ask nothing, and need no prompts to be loaded. */
function answerLazily(environment: Environment, { server, open }: WatchOptions): AnswerStep {
  let loaded: AnswerStep | undefined;
  return async (execution, step) => {
    loaded ??= (await import('../answer/at-terminal.ts')).answerAtTerminal(environment, {
      server,
      browser: open,
    });
    return loaded(execution, step);
  };
}

async function detach(
  environment: Environment,
  id: string,
  { server, interrupt }: WatchOptions,
): Promise<void> {
  environment.exitCode = interruptedCode;
  environment.note(
    `\nThe run goes on without you. Ctrl-C again cancels it. Come back to it with:\n  ${resumeCommand(id)}`,
  );
  if (!(await interrupt.secondComes())) return interrupt.release();
  interrupt.release();
  environment.note(cancelSentence(await server.client.executions.cancel({ id })));
}

function withWayBack(error: unknown, id: string): unknown {
  if (!(error instanceof ExecutorError) || error.code !== 'noServer') return error;
  return new ExecutorError('noServer', `${error.message} Come back to it with: ${resumeCommand(id)}`, {
    cause: error,
  });
}

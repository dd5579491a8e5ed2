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

/** Watches a run until it ends or nobody here can answer, and reports it. `call` and `resume` share this. */
export async function watchRun(environment: Environment, id: string, options: WatchOptions): Promise<void> {
  const answer = environment.isInteractive ? answerLazily(environment, options) : undefined;
  const attended = await attend(id, { ...options, answer }).catch((error) => {
    throw withResumeHint(error, id);
  });
  if (attended.type === 'detached') return detach(environment, id, options);
  options.interrupt.release();
  const { server, json } = options;
  reportRun(environment, await withWholeResult(environment, attended.execution, server, { json }), { json });
}

/** Loads the prompts only for runs that ask something. */
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
    `\nThe run continues without you. Press Ctrl-C again to cancel it. Resume it with:\n  ${resumeCommand(id)}`,
  );
  if (!(await interrupt.isPressedAgain())) return interrupt.release();
  interrupt.release();
  environment.note(cancelSentence(await server.client.executions.cancel({ id })));
}

function withResumeHint(error: unknown, id: string): unknown {
  if (!(error instanceof ExecutorError) || error.code !== 'noServer') return error;
  return new ExecutorError('noServer', `${error.message} Resume it with: ${resumeCommand(id)}`, {
    cause: error,
  });
}

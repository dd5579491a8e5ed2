import type { DialogQuestion } from '@executor/engine';
import { type Execution, ExecutorError, type Principal } from '@executor/protocol';
import type { McpParts, ToolCall } from '../call/tool-call.ts';
import { type DialogOutcome, dialogOutcome } from './client-dialogs.ts';
import type { OpenDialog } from './open-dialogs.ts';

/** A client and the kinds of dialog that it supports. */
export type DialogClient = Pick<ToolCall, 'parts' | 'exchange' | 'dialogs'>;

/** The pending questions of a waiting run that this client may show to its user. */
export async function questionsFor(
  client: DialogClient,
  { id, status }: Execution,
): Promise<DialogQuestion[]> {
  return status === 'waiting' ? openQuestions(client, id) : [];
}

/** The same for a run in any state. */
export async function openQuestions(
  { parts, exchange, dialogs }: DialogClient,
  executionId: string,
): Promise<DialogQuestion[]> {
  if (!dialogs.form && !dialogs.url) return [];
  const questions = await parts.engine.interactions.askInDialog(exchange.principal, executionId);
  return questions.filter(({ form }) => (form ? dialogs.form : dialogs.url));
}

type Asked = Pick<DialogQuestion, 'interactionId' | 'executionId' | 'hash'>;

export type Submission =
  | { type: 'answered' | 'onPage' | 'unanswered' }
  /** Late: the question was settled before, and the run has continued or ended. */
  | { type: 'late' | 'refused'; message: string };

/** Submits a user's answer from a dialog to the engine. A rejected answer is returned with the reason. */
export async function submitAnswer(
  { engine, logger }: Pick<McpParts, 'engine' | 'logger'>,
  principal: Principal,
  asked: Asked,
  outcome: DialogOutcome,
): Promise<Submission> {
  if (outcome.type === 'onPage' || outcome.type === 'unanswered') return outcome;
  try {
    await engine.interactions.answerInDialog(principal, asked, outcome);
    return { type: 'answered' };
  } catch (error) {
    if (!(error instanceof ExecutorError)) throw error;
    logger.info({ code: error.code, interactionId: asked.interactionId }, 'rejected an answer from a dialog');
    const isLate = error.code === 'conflict' || error.code === 'gone';
    return { type: isLate ? 'late' : 'refused', message: error.message };
  }
}

/** Handles the answer to an open dialog, which arrives in a separate request. */
export async function takeAnswer(
  parts: Pick<McpParts, 'engine' | 'logger'>,
  principal: Principal,
  { dialog, result }: { dialog: OpenDialog; result: unknown },
): Promise<void> {
  const { question } = dialog;
  try {
    const outcome = dialogOutcome(question.form !== undefined, result);
    const submission = await submitAnswer(parts, principal, question, outcome);
    if ('message' in submission) dialog.refusal = submission.message;
    if (submission.type === 'refused' || submission.type === 'unanswered') dialog.leaveUnanswered();
  } catch (error) {
    dialog.leaveUnanswered();
    throw error;
  }
}

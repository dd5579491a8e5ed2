import type { DialogQuestion } from '@executor/engine';
import { type Execution, ExecutorError, type Principal } from '@executor/protocol';
import { type DialogOutcome, dialogOutcome } from './client-dialogs.ts';
import type { OpenDialog } from './open-dialogs.ts';
import type { McpParts, ToolCall } from './tool-call.ts';

/** A client and the dialogs that it has. */
export type DialogClient = Pick<ToolCall, 'parts' | 'exchange' | 'dialogs'>;

/** What this client may and can ask its user, of what the run waits for. */
export async function questionsFor(
  client: DialogClient,
  { id, status }: Execution,
): Promise<DialogQuestion[]> {
  return status === 'waiting' ? openQuestions(client, id) : [];
}

/** The same, also of a run that has other things to do meanwhile. */
export async function openQuestions(
  { parts, exchange, dialogs }: DialogClient,
  executionId: string,
): Promise<DialogQuestion[]> {
  if (!dialogs.form && !dialogs.url) return [];
  const questions = await parts.engine.interactions.askInDialog(exchange.principal, executionId);
  return questions.filter(({ form }) => (form ? dialogs.form : dialogs.url));
}

type Asked = Pick<DialogQuestion, 'interactionId' | 'executionId' | 'hash'>;

/** What became of an answer. */
export type Answered =
  | { type: 'answered' | 'onPage' | 'unanswered' }
  /** Late: it is settled already, and the run goes on or has ended. */
  | { type: 'late' | 'refused'; message: string };

/** Hands on what a user did with a dialog; one whose answer is not taken hears why. */
export async function passOn(
  { engine, logger }: Pick<McpParts, 'engine' | 'logger'>,
  principal: Principal,
  asked: Asked,
  outcome: DialogOutcome,
): Promise<Answered> {
  if (outcome.type === 'onPage' || outcome.type === 'unanswered') return outcome;
  try {
    await engine.interactions.answerInDialog(principal, asked, outcome);
    return { type: 'answered' };
  } catch (error) {
    if (!(error instanceof ExecutorError)) throw error;
    logger.info(
      { code: error.code, interactionId: asked.interactionId },
      'the answer of a dialog was refused',
    );
    const isLate = error.code === 'conflict' || error.code === 'gone';
    return { type: isLate ? 'late' : 'refused', message: error.message };
  }
}

/** An answer to an open dialog, which comes in a request of its own. */
export async function takeAnswer(
  parts: Pick<McpParts, 'engine' | 'logger'>,
  principal: Principal,
  { dialog, result }: { dialog: OpenDialog; result: unknown },
): Promise<void> {
  const { question } = dialog;
  try {
    const outcome = dialogOutcome(question.form !== undefined, result);
    const answered = await passOn(parts, principal, question, outcome);
    if ('message' in answered) dialog.refusal = answered.message;
    if (answered.type === 'refused' || answered.type === 'unanswered') dialog.leaveUnanswered();
  } catch (error) {
    dialog.leaveUnanswered();
    throw error;
  }
}

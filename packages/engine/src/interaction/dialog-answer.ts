import { ExecutorError, type InteractionKind, type Resolution } from '@executor/protocol';
import type { InteractionRow } from '../ports/interaction-store.ts';
import { type DialogQuestion, decisions } from './dialog-question.ts';

/** The question that an answer belongs to. */
export type AskedInDialog = Pick<DialogQuestion, 'interactionId' | 'executionId' | 'hash'>;

/** The user's answer in a dialog. Closing a dialog is not an answer. */
export type DialogAnswer = { type: 'accepted'; content: Record<string, unknown> } | { type: 'declined' };

/** Accepting a dialog without a decision approves nothing. */
export function dialogResolution(kind: InteractionKind, answer: DialogAnswer): Resolution {
  if (kind !== 'approval') {
    return answer.type === 'declined'
      ? { action: 'cancel' }
      : { action: 'submit', data: answer.content as NonNullable<Resolution['data']> };
  }
  if (answer.type === 'declined') return { action: 'deny' };
  const { decision, reason } = answer.content;
  if (!isDecision(decision)) {
    const received = decision === undefined ? 'nothing' : JSON.stringify(decision).slice(0, 100);
    const choices = Object.keys(decisions).map((choice) => JSON.stringify(choice));
    throw new ExecutorError(
      'invalidRequest',
      `decision: must be ${choices.slice(0, -1).join(', ')} or ${choices.at(-1)}, not ${received}. Nothing was decided.`,
    );
  }
  const resolution = decisions[decision];
  const isReason = resolution.action === 'deny' && typeof reason === 'string' && reason.trim() !== '';
  return { ...resolution, ...(isReason && { reason: reason.trim().slice(0, 2_000) }) };
}

function isDecision(decision: unknown): decision is keyof typeof decisions {
  return typeof decision === 'string' && Object.hasOwn(decisions, decision);
}

export function notInDialog({ id, kind }: InteractionRow, url: string): ExecutorError {
  const why =
    kind === 'approval'
      ? 'a person has not allowed that for this key, or answers need a PIN (`executor keys allow-dialog KEY` allows it)'
      : 'only the page accepts the answer';
  return new ExecutorError(
    'forbidden',
    `This cannot be answered in a dialog: ${why}. Nothing was decided; a person can answer at ${url}`,
    { details: { id } },
  );
}

export function notWhatWasShown(url: string): ExecutorError {
  return new ExecutorError(
    'invalidRequest',
    `The dialog showed another question than the pending one. Nothing was decided; a person can answer at ${url}`,
  );
}

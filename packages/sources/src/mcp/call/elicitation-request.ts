import type { Answer, Invocation, Question } from '@executor/engine';
import { shortText } from './short-text.ts';

const maxPromptChars = 4_000;
const maxFormChars = 64 * 1024;

/** A question that cannot be shown to a person. */
export class UnaskableError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'UnaskableError';
  }
}

export type ElicitResult = {
  action: 'accept' | 'decline' | 'cancel';
  content?: Record<string, string | number | boolean | string[]>;
};

/** Asks in the middle of a call: the server waits for the answer on this connection. */
export async function elicit(params: unknown, { ask }: Invocation): Promise<ElicitResult> {
  return resultOf(params, await ask(questionOf(params)));
}

/** The question of an elicitation: a form, or a page to open. */
export function questionOf(params: unknown): Question {
  const { message, mode, url, requestedSchema } = Object(params) as Record<string, unknown>;
  const prompt = shortText(
    typeof message === 'string' ? message : 'The server asks a question.',
    maxPromptChars,
  );
  if (mode === 'url' || (mode === undefined && url !== undefined))
    return { kind: 'elicitation', prompt, request: { url: pageOf(url) } };
  const request = Object(requestedSchema) as Record<string, unknown>;
  if (JSON.stringify(request).length > maxFormChars)
    throw new UnaskableError('The server asked for a form that is too large to be shown.');
  return { kind: 'elicitation', prompt, request: { type: 'object', ...request } };
}

function pageOf(url: unknown): string {
  const page = typeof url === 'string' && URL.canParse(url) ? new URL(url) : undefined;
  if (page !== undefined && /^https?:$/.test(page.protocol)) return page.href;
  throw new UnaskableError('The server asked to open an address that is not an http or https URL.');
}

export function resultOf(params: unknown, answer: Answer): ElicitResult {
  if (answer.type === 'cancelled') return { action: 'decline' };
  if (answer.type === 'expired') return { action: 'cancel' };
  const { mode, url } = Object(params) as Record<string, unknown>;
  const isPage = mode === 'url' || (mode === undefined && url !== undefined);
  return {
    action: 'accept',
    ...(!isPage && { content: Object(answer.data) as ElicitResult['content'] & {} }),
  };
}

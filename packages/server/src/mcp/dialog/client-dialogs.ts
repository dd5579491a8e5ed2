import type { DialogAnswer, DialogQuestion } from '@executor/engine';
import type { ElicitRequestFormParams, ElicitRequestURLParams } from '@modelcontextprotocol/server';
import * as z from 'zod';

/** The kinds of dialog that a client claims to support. A false claim gives it no extra rights. */
export interface ClientDialogs {
  form: boolean;
  url: boolean;
}

const noDialogs: ClientDialogs = { form: false, url: false };

const Capabilities = z.object({
  elicitation: z.object({ form: z.looseObject({}).optional(), url: z.looseObject({}).optional() }),
});

/** A client that names no kind of dialog supports forms: early protocol versions had no other kind. */
export function dialogsOf(capabilities: unknown): ClientDialogs {
  const { success, data } = Capabilities.safeParse(capabilities);
  if (!success) return noDialogs;
  const { form, url } = data.elicitation;
  return { form: form !== undefined || url === undefined, url: url !== undefined };
}

/** The request parameters for a dialog. A question without a form opens Executor's page. */
export function elicitation({
  message,
  form,
  url,
}: DialogQuestion): ElicitRequestFormParams | Omit<ElicitRequestURLParams, 'elicitationId'> {
  return form ? { mode: 'form', message, requestedSchema: { ...form } } : { mode: 'url', message, url };
}

const ElicitResult = z.object({
  action: z.enum(['accept', 'decline', 'cancel']),
  content: z.record(z.string(), z.unknown()).nullish(),
});

/** What a user did with a dialog. A closed, failed or invalid dialog is `unanswered` and changes nothing. */
export type DialogOutcome = DialogAnswer | { type: 'onPage' } | { type: 'unanswered' };

export function dialogOutcome(isForm: boolean, result: unknown): DialogOutcome {
  const { success, data } = ElicitResult.safeParse(result);
  if (!success || data.action === 'cancel') return { type: 'unanswered' };
  // Opening the page is not an answer: the user answers on the page.
  if (!isForm) return { type: data.action === 'accept' ? 'onPage' : 'unanswered' };
  return data.action === 'accept' ? { type: 'accepted', content: data.content ?? {} } : { type: 'declined' };
}

import type { DialogAnswer, DialogQuestion } from '@executor/engine';
import type { ElicitRequestFormParams, ElicitRequestURLParams } from '@modelcontextprotocol/server';
import * as z from 'zod';

/** What a client says that it can ask its user. It gains nothing by claiming what is not true. */
export interface ClientDialogs {
  form: boolean;
  url: boolean;
}

const noDialogs: ClientDialogs = { form: false, url: false };

const Capabilities = z.object({
  elicitation: z.object({ form: z.looseObject({}).optional(), url: z.looseObject({}).optional() }),
});

/** A client that only says that it has dialogs has those with forms: at first there were no others. */
export function dialogsOf(capabilities: unknown): ClientDialogs {
  const { success, data } = Capabilities.safeParse(capabilities);
  if (!success) return noDialogs;
  const { form, url } = data.elicitation;
  return { form: form !== undefined || url === undefined, url: url !== undefined };
}

/** How it is asked. A question that needs our page leads there. */
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

/** What a user did with a dialog. Closed, failed or not understood, it leaves all as it is. */
export type DialogOutcome = DialogAnswer | { type: 'onPage' } | { type: 'unanswered' };

export function dialogOutcome(isForm: boolean, result: unknown): DialogOutcome {
  const { success, data } = ElicitResult.safeParse(result);
  if (!success || data.action === 'cancel') return { type: 'unanswered' };
  // Whether somebody wants to open our page says nothing about what they will say there.
  if (!isForm) return { type: data.action === 'accept' ? 'onPage' : 'unanswered' };
  return data.action === 'accept' ? { type: 'accepted', content: data.content ?? {} } : { type: 'declined' };
}

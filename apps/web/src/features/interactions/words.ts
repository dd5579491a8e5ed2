import {
  type Interaction,
  type InteractionKind,
  type ResolutionAction,
  wasNotSent,
} from '@executor/protocol';
import type { BadgeLook } from '../../ui/badge.tsx';
import { asHttpRequest } from './http-request.ts';

export const kindNames: Record<InteractionKind, string> = {
  approval: 'Approval',
  elicitation: 'Question',
  credential: 'Credential',
  oauth: 'Sign-in elsewhere',
  reconcile: 'Did it happen?',
};

type Effect = NonNullable<Interaction['tool']>['effect'];

export const effects: Record<Effect, { name: string; look: BadgeLook; hint: string }> = {
  read: { name: 'Reads', look: 'good', hint: 'This call only reads data.' },
  write: { name: 'Writes', look: 'warn', hint: 'This call changes data.' },
  destructive: { name: 'Deletes', look: 'danger', hint: 'This call may delete data permanently.' },
};

/** The title of the request. */
export const requestTitles: Record<InteractionKind, string> = {
  approval: 'What will be sent',
  reconcile: 'What was sent',
  elicitation: 'Requested data',
  credential: 'Requested data',
  oauth: 'Address',
};

const deeds: Record<ResolutionAction, string> = {
  approve: 'approved it',
  deny: 'denied it',
  submit: 'answered it',
  cancel: 'declined it',
  retry: 'sent it again',
  complete: 'gave its result',
  fail: 'let it fail',
};

type KeyNames = (id: string) => string | undefined;

interface Reader {
  /** The actor who reads this. */
  actorId: string | undefined;
  keyNames: KeyNames;
}

/** How a question that is not pending was settled. */
export function settledSentence({ status, resolution }: Interaction, reader: Reader): string {
  if (resolution) return `${answerer(resolution, reader)} ${deeds[resolution.action]}${extent(resolution)}.`;
  if (status === 'expired') return 'This question expired before anybody answered it.';
  return 'This question was withdrawn: its run has ended, or the call changed and Executor asks again.';
}

/** A dialog of an agent's client answers for the person whose key it is, who may not have seen it. */
function answerer({ actorId, dialogOf }: NonNullable<Interaction['resolution']>, reader: Reader): string {
  if (dialogOf !== undefined)
    return `The dialog of the client with ${ownerPhrase(dialogOf, reader.keyNames)}`;
  return actorId === reader.actorId ? 'You' : actorId;
}

/** The credential that started the run. Unlike the client's name, a client cannot choose it. */
export function ownerPhrase(ownerId: string, keyNames: KeyNames): string {
  if (ownerId.startsWith('oauth_')) return `the OAuth client ${ownerId}`;
  if (!ownerId.startsWith('key_')) return 'a user’s own credential';
  const name = keyNames(ownerId);
  return name === undefined ? `the key ${ownerId}` : `the key “${name}” (${ownerId})`;
}

function extent({ scope, policyId }: NonNullable<Interaction['resolution']>): string {
  const identical = scope === 'identical' ? ', and all identical calls in this run' : '';
  return `${identical}${policyId ? ', and a rule was saved' : ''}`;
}

/** The answer in one or two words. */
export function settledWord({ status, resolution, outcome }: Interaction): { word: string; look: BadgeLook } {
  if (!resolution) return { word: status === 'expired' ? 'Expired' : 'Withdrawn', look: 'neutral' };
  const words: Record<ResolutionAction, { word: string; look: BadgeLook }> = {
    approve: { word: 'Approved', look: 'good' },
    deny: { word: 'Denied', look: 'danger' },
    submit: { word: 'Answered', look: 'good' },
    cancel: { word: 'Declined', look: 'neutral' },
    retry: { word: 'Sent again', look: 'warn' },
    complete: { word: 'Result entered', look: 'good' },
    fail: { word: 'Failed', look: 'danger' },
  };
  if (outcome && wasNotSent(outcome))
    return { word: `${words[resolution.action].word}, not sent`, look: 'warn' };
  return words[resolution.action];
}

/** A summary in one or two lines: address and input of a call, or the prompt of another question. */
export function summaryOf({ kind, tool, request, prompt }: Interaction): { address?: string; text?: string } {
  if (kind !== 'approval' && kind !== 'reconcile') return { text: prompt };
  const http = asHttpRequest(request);
  const input = JSON.stringify(tool?.input) ?? '';
  return {
    ...(http && { address: `${http.method} ${http.url}` }),
    ...(input.length > 2 && { text: input }),
  };
}

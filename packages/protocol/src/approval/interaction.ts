import * as z from 'zod';
import { PrincipalKind } from '../identity/principal.ts';
import { list, PageQuery } from '../route/list.ts';
import { NewPolicy, PolicyRule } from './policy.ts';

export const InteractionKind = z
  .enum(['approval', 'elicitation', 'credential', 'oauth', 'reconcile'])
  .meta({ id: 'InteractionKind' });
export type InteractionKind = z.infer<typeof InteractionKind>;

/** `withdrawn`: its run ended or was cancelled, or the call changed and Executor asked again. */
export const InteractionStatus = z
  .enum(['pending', 'resolved', 'expired', 'withdrawn'])
  .meta({ id: 'InteractionStatus' });
export type InteractionStatus = z.infer<typeof InteractionStatus>;

/** A pending question, as the caller that started the run sees it. Only people see the id. The URL carries no authority. */
export const PendingInteraction = z
  .object({ id: z.string().optional(), kind: InteractionKind, prompt: z.string(), url: z.string() })
  .meta({ id: 'PendingInteraction' });
export type PendingInteraction = z.infer<typeof PendingInteraction>;

export const ResolutionAction = z
  .enum(['approve', 'deny', 'submit', 'cancel', 'retry', 'complete', 'fail'])
  .meta({ id: 'ResolutionAction' });
export type ResolutionAction = z.infer<typeof ResolutionAction>;

/** The actions that answer each kind of interaction. */
export const actionsOf = {
  approval: ['approve', 'deny'],
  elicitation: ['submit', 'cancel'],
  credential: ['submit', 'cancel'],
  oauth: ['submit', 'cancel'],
  reconcile: ['retry', 'complete', 'fail'],
} as const satisfies Record<InteractionKind, readonly ResolutionAction[]>;

/**
 * What happened to a call after a reviewer let it be sent. `denied`: a rule added meanwhile stopped it. `askedAgain`: the tool changed, so
 * a new interaction asks about the new request. `abandoned`: the run ended before the call was sent. `uncertain`: the run ended while the
 * call may have been in flight.
 */
export const CallOutcome = z
  .object({
    status: z.enum(['sent', 'succeeded', 'failed', 'denied', 'askedAgain', 'abandoned', 'uncertain']),
    message: z.string().optional(),
    ruleId: z.string().optional().describe('With `denied`: the rule that denied the call'),
  })
  .meta({ id: 'CallOutcome' });
export type CallOutcome = z.infer<typeof CallOutcome>;

/** What happened to an approved call, for people. */
export function outcomeSentence({ status, message = '' }: CallOutcome): string {
  switch (status) {
    case 'sent':
      return 'The call was sent and has not finished yet.';
    case 'succeeded':
      return 'The call was sent and succeeded.';
    case 'failed':
      return `The call failed: ${message}`;
    case 'uncertain':
      return `It is not known whether the call succeeded. ${message}`.trim();
    case 'denied':
    case 'askedAgain':
    case 'abandoned':
      return `The call was not sent. ${message}`.trim();
  }
}

/** Whether a call that was approved was stopped before it was sent. */
export function wasNotSent({ status }: CallOutcome): boolean {
  return status === 'denied' || status === 'askedAgain' || status === 'abandoned';
}

/** The credential that started a run that asks. Unlike `clientId`, a client cannot choose the rest. */
export const Asker = z
  .object({
    kind: PrincipalKind,
    ownerId: z.string().describe('The owner of the run: a key, an OAuth client or a user'),
    keyName: z.string().optional().describe('The name of the key, if the owner is one'),
    clientId: z.string().optional().describe('What the client calls itself'),
  })
  .meta({ id: 'Asker' });
export type Asker = z.infer<typeof Asker>;

export const Interaction = PendingInteraction.extend({
  id: z.string(),
  status: InteractionStatus,
  executionId: z.string(),
  askedBy: Asker,
  callId: z.string().optional(),
  tool: z
    .object({ path: z.string(), input: z.unknown(), effect: z.enum(['read', 'write', 'destructive']) })
    .optional(),
  request: z.unknown().optional().describe('Exactly what will be sent, or the form to fill in'),
  actions: z.array(ResolutionAction).describe('The actions that answer it'),
  remember: PolicyRule.optional().describe('The narrowest rule that would cover this call from now on'),
  createdAt: z.iso.datetime(),
  expiresAt: z.iso.datetime().optional(),
  resolvedAt: z.iso.datetime().optional(),
  resolution: z
    .object({
      action: ResolutionAction,
      actorId: z.string(),
      reason: z.string().optional(),
      scope: z.enum(['once', 'identical']).optional(),
      policyId: z.string().optional(),
      dialogOf: z
        .string()
        .optional()
        .describe('If it was answered in the dialog of an MCP client: the id of its key or OAuth client'),
    })
    .optional(),
  alsoResolved: z
    .array(z.string())
    .optional()
    .describe('With scope `identical`: the ids of the other interactions that this answer resolved'),
  outcome: CallOutcome.optional().describe(
    'What happened to the call after `approve` or `retry`; absent in lists and while it is not known',
  ),
}).meta({ id: 'Interaction' });
export type Interaction = z.infer<typeof Interaction>;

export const InteractionList = list(Interaction).meta({ id: 'InteractionList' });

export const InteractionQuery = PageQuery.extend({
  status: InteractionStatus.optional(),
  executionId: z.string().max(100).optional(),
});
export type InteractionQuery = z.infer<typeof InteractionQuery>;

const resolution = {
  action: ResolutionAction,
  scope: z
    .enum(['once', 'identical'])
    .optional()
    .describe('`identical` also answers the same call with the same input in this run, pending or later'),
  remember: NewPolicy.optional().describe('A rule to add together with the answer'),
  reason: z.string().trim().max(2_000).optional().describe('With deny or fail: the code receives it'),
  data: z.json().optional().describe('With submit: the form; with complete: the result of the call'),
  presence: z.string().max(200).optional().describe('The PIN, if presence is on'),
};

export const Resolution = z.strictObject(resolution).meta({ id: 'Resolution' });
export type Resolution = z.infer<typeof Resolution>;

export const ResolutionOfSeveral = z
  .strictObject({ ids: z.array(z.string().max(100)).min(1).max(500), ...resolution })
  .meta({ id: 'ResolutionOfSeveral' });
export type ResolutionOfSeveral = z.infer<typeof ResolutionOfSeveral>;

export const ResolvedSeveral = z
  .object({
    items: z.array(
      z.object({
        id: z.string(),
        interaction: Interaction.optional(),
        error: z.object({ code: z.string(), message: z.string() }).optional(),
      }),
    ),
  })
  .meta({ id: 'ResolvedSeveral' });
export type ResolvedSeveral = z.infer<typeof ResolvedSeveral>;

import * as z from 'zod';
import { list } from '../route/list.ts';

/** `requireApproval` is called `ask` everywhere but on the wire. */
export const PolicyDecision = z.enum(['allow', 'requireApproval', 'deny']).meta({ id: 'PolicyDecision' });
export type PolicyDecision = z.infer<typeof PolicyDecision>;

/** A decision as callers may write it. */
const DecisionInput = z
  .enum(['allow', 'ask', 'requireApproval', 'deny'])
  .describe('`ask` and `requireApproval` mean the same; responses say `requireApproval`')
  .transform((decision) => (decision === 'ask' ? 'requireApproval' : decision))
  .pipe(PolicyDecision);

/** The one word for a decision in every text that people and models read. */
export const decisionWords = {
  allow: 'allow',
  requireApproval: 'ask',
  deny: 'deny',
} as const satisfies Record<PolicyDecision, string>;

/** Whose calls a rule is for. */
export const PolicyScope = z
  .discriminatedUnion('type', [
    z.strictObject({ type: z.literal('workspace') }),
    z.strictObject({ type: z.literal('actor'), actorId: z.string().min(1).max(100) }),
    z.strictObject({ type: z.literal('client'), clientId: z.string().min(1).max(200) }),
  ])
  .meta({ id: 'PolicyScope' });
export type PolicyScope = z.infer<typeof PolicyScope>;

const field = z
  .string()
  .min(1)
  .max(200)
  .describe('A field of the input; a dot leads into an object: `repo.owner`');

/** Numbers beyond 2^53 are rounded, so a limit there would not mean what it says. */
const limit = z
  .number()
  .refine((value) => !Number.isInteger(value) || Number.isSafeInteger(value), 'must be within ±2^53');

/**
 * What an input field must be. Values are never converted. A comparison, `notEquals` or `contains` on a missing field, or on a value of
 * another type, fails in an `allow` rule and holds in an `ask` or `deny` rule.
 */
export const PolicyCondition = z
  .union([
    z.strictObject({ field, equals: z.json() }),
    z.strictObject({ field, notEquals: z.json() }),
    z.strictObject({ field, oneOf: z.array(z.json()).min(1).max(100) }),
    z.strictObject({ field, prefix: z.string().min(1).max(2_000) }),
    z.strictObject({
      field,
      contains: z.json().describe('Part of a text, or an item of a list'),
    }),
    z.strictObject({ field, lessThan: limit }),
    z.strictObject({ field, lessThanOrEqual: limit }),
    z.strictObject({ field, greaterThan: limit }),
    z.strictObject({ field, greaterThanOrEqual: limit }),
    z.strictObject({ field, exists: z.boolean().describe('Whether the input has the field at all') }),
  ])
  .meta({ id: 'PolicyCondition' });
export type PolicyCondition = z.infer<typeof PolicyCondition>;

/** `github.issues.create`, `github.*.list` (one segment), `github.**` (all remaining segments); `**` matches every tool. */
export const PolicyPattern = z
  .string()
  // Normalised like the names of tools. Otherwise differently composed letters would match nothing.
  .normalize()
  .max(300)
  .regex(
    /^(?:(?:\*|[\p{L}_$][\p{L}\p{N}\p{M}_$-]*)(?:\.(?:\*|[\p{L}_$][\p{L}\p{N}\p{M}_$-]*))*(?:\.\*\*)?|\*\*)$/u,
    'must be a tool path such as github.issues.create, where * stands for one segment and ** at the end for the rest',
  );

export const NewPolicy = z
  .strictObject({
    scope: PolicyScope.default({ type: 'workspace' }),
    pattern: PolicyPattern,
    conditions: z.array(PolicyCondition).max(20).default([]),
    decision: DecisionInput,
    note: z.string().trim().max(500).optional().describe('Why the rule exists'),
  })
  .meta({ id: 'NewPolicy' });
export type NewPolicy = z.infer<typeof NewPolicy>;

/** A rule as responses show it. */
export const PolicyRule = NewPolicy.extend({ decision: PolicyDecision }).meta({ id: 'PolicyRule' });

export const Policy = PolicyRule.extend({
  id: z.string(),
  createdBy: z.string(),
  createdAt: z.iso.datetime(),
  updatedAt: z.iso.datetime(),
}).meta({ id: 'Policy' });
export type Policy = z.infer<typeof Policy>;

const strict = z
  .boolean()
  .optional()
  .describe('Reject the rule if it has warnings; without it the rule is saved and the response lists them');

export const NewPolicyRequest = NewPolicy.extend({ strict }).meta({ id: 'NewPolicyRequest' });

export const SavedPolicy = Policy.extend({
  warnings: z
    .array(z.string())
    .optional()
    .describe(
      'Why the rule may not do what you want: no tool matches it, or no tool has a field of its conditions',
    ),
}).meta({ id: 'SavedPolicy' });
export type SavedPolicy = z.infer<typeof SavedPolicy>;

export const PolicyList = list(Policy).meta({ id: 'PolicyList' });

export const PolicyChange = z
  .strictObject({
    pattern: PolicyPattern.optional(),
    conditions: z.array(PolicyCondition).max(20).optional(),
    decision: DecisionInput.optional(),
    note: z.string().trim().max(500).optional(),
  })
  .meta({ id: 'PolicyChange' });
export type PolicyChange = z.infer<typeof PolicyChange>;

export const PolicyChangeRequest = PolicyChange.extend({ strict }).meta({ id: 'PolicyChangeRequest' });

export const ExplainPolicy = z
  .strictObject({
    path: z.string().min(1).max(300),
    input: z.json().optional(),
    clientId: z.string().max(200).optional(),
  })
  .meta({ id: 'ExplainPolicy' });
export type ExplainPolicy = z.infer<typeof ExplainPolicy>;

export const PolicyExplanation = z
  .object({
    decision: PolicyDecision,
    reason: z.string().describe('One sentence: which rule, or which default, decided'),
    policy: Policy.optional().describe('The rule that decided'),
    considered: z
      .array(z.object({ policy: Policy, matched: z.boolean(), why: z.string() }))
      .describe('The matching rules, strongest first'),
    tool: z.object({ path: z.string(), effect: z.enum(['read', 'write', 'destructive']) }).optional(),
    note: z.string().optional().describe('Problems with the request: no such tool, or an invalid input'),
  })
  .meta({ id: 'PolicyExplanation' });
export type PolicyExplanation = z.infer<typeof PolicyExplanation>;

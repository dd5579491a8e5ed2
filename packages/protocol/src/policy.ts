import * as z from 'zod';
import { list } from './list.ts';

export const PolicyDecision = z.enum(['allow', 'requireApproval', 'deny']).meta({ id: 'PolicyDecision' });
export type PolicyDecision = z.infer<typeof PolicyDecision>;

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

export const PolicyCondition = z
  .union([
    z.strictObject({ field, equals: z.json() }),
    z.strictObject({ field, oneOf: z.array(z.json()).min(1).max(100) }),
    z.strictObject({ field, prefix: z.string().min(1).max(2_000) }),
  ])
  .meta({ id: 'PolicyCondition' });
export type PolicyCondition = z.infer<typeof PolicyCondition>;

/** `github.issues.create`, `github.*.list` (one segment), `github.**` (the rest); `**` covers everything. */
export const PolicyPattern = z
  .string()
  // As the names of tools are written: the same letters, composed in another way, would match nothing.
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
    decision: PolicyDecision,
    note: z.string().trim().max(500).optional().describe('Why, for whoever reads it later'),
  })
  .meta({ id: 'NewPolicy' });
export type NewPolicy = z.infer<typeof NewPolicy>;

export const Policy = NewPolicy.extend({
  id: z.string(),
  createdBy: z.string(),
  createdAt: z.iso.datetime(),
  updatedAt: z.iso.datetime(),
}).meta({ id: 'Policy' });
export type Policy = z.infer<typeof Policy>;

export const PolicyList = list(Policy).meta({ id: 'PolicyList' });

export const PolicyChange = z
  .strictObject({
    pattern: PolicyPattern.optional(),
    conditions: z.array(PolicyCondition).max(20).optional(),
    decision: PolicyDecision.optional(),
    note: z.string().trim().max(500).optional(),
  })
  .meta({ id: 'PolicyChange' });
export type PolicyChange = z.infer<typeof PolicyChange>;

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
      .describe('The rules that were weighed, the strongest first'),
    tool: z.object({ path: z.string(), effect: z.enum(['read', 'write', 'destructive']) }).optional(),
    note: z
      .string()
      .optional()
      .describe('What is odd about the question: no such tool, or an input that it refuses'),
  })
  .meta({ id: 'PolicyExplanation' });
export type PolicyExplanation = z.infer<typeof PolicyExplanation>;

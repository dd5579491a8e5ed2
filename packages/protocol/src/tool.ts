import * as z from 'zod';
import { list, PageQuery } from './list.ts';

export const Effect = z.enum(['read', 'write', 'destructive']).meta({ id: 'Effect' });
export type Effect = z.infer<typeof Effect>;

export const ToolSummary = z
  .object({
    path: z
      .string()
      .describe('What code calls: `tools.github.issues.create` has the path `github.issues.create`'),
    namespace: z.string(),
    sourceId: z.string(),
    description: z.string(),
    effect: Effect,
    repeatable: z.boolean().describe('Whether making the call twice is as good as once'),
    approval: z
      .enum(['allow', 'requireApproval', 'deny'])
      .describe('What is decided where no condition on the input says otherwise'),
    origin: z.record(z.string(), z.unknown()).describe('Where in its system the tool is from'),
    deprecated: z.literal(true).optional(),
    unseen: z
      .literal(true)
      .optional()
      .describe('It came with a refresh, and needs approval until a person has looked at it'),
    suggestion: z
      .object({ effect: Effect.optional(), repeatable: z.boolean().optional(), why: z.string() })
      .optional()
      .describe('Evidence that the tool does less than its effect says; a person confirms it'),
    edited: z.literal(true).optional().describe('A person said what its effect is'),
  })
  .meta({ id: 'ToolSummary' });
export type ToolSummary = z.infer<typeof ToolSummary>;

const JsonSchema = z.union([z.boolean(), z.record(z.string(), z.unknown())]);

const ToolAuth = z
  .object({
    state: z.enum(['notNeeded', 'ready', 'missing']),
    message: z.string().optional().describe('What is missing, and how a person sets it'),
  })
  .describe('Whether there are the credentials that a call needs');
export type ToolAuth = z.infer<typeof ToolAuth>;

export const Tool = ToolSummary.extend({
  signature: z.string().describe('What it takes and answers, as TypeScript'),
  example: z.string().describe('A call with everything that it needs'),
  auth: ToolAuth,
  inputSchema: JsonSchema,
  outputSchema: JsonSchema.optional(),
  definitions: z
    .record(z.string(), JsonSchema)
    .optional()
    .describe('What `#/$defs/NAME` in the schemas means'),
  definitionsCut: z.literal(true).optional().describe('There are more of them than fit in an answer'),
  security: z
    .array(z.array(z.object({ scheme: z.string(), scopes: z.array(z.string()).optional() })))
    .optional()
    .describe('What a caller must show: one of these, and of it every scheme'),
}).meta({ id: 'Tool' });
export type Tool = z.infer<typeof Tool>;

export const ToolList = list(ToolSummary).extend({ total: z.int() }).meta({ id: 'ToolList' });

export const ToolQuery = PageQuery.extend({
  filter: z.string().max(200).optional().describe('A part of the path or the description'),
  only: z.enum(['unseen', 'suggested', 'edited']).optional(),
});
export type ToolQuery = z.infer<typeof ToolQuery>;

export const ToolRead = z.object({
  depth: z.coerce
    .number()
    .int()
    .min(1)
    .max(20)
    .optional()
    .describe('How many levels of types the signature spells out; without it, as many as are short'),
});

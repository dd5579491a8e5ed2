import * as z from 'zod';
import { list, PageQuery } from '../route/list.ts';

export const Effect = z.enum(['read', 'write', 'destructive']).meta({ id: 'Effect' });
export type Effect = z.infer<typeof Effect>;

export const ToolSummary = z
  .object({
    path: z.string().describe('Code calls `tools.github.issues.create` for the path `github.issues.create`'),
    namespace: z.string(),
    sourceId: z.string(),
    description: z.string(),
    effect: Effect,
    repeatable: z.boolean().describe('Whether the call can safely be sent twice'),
    approval: z
      .enum(['allow', 'requireApproval', 'deny'])
      .describe('The decision by the rules without conditions'),
    origin: z.record(z.string(), z.unknown()).describe('The operation of the source that this tool calls'),
    deprecated: z.literal(true).optional(),
    unseen: z
      .literal(true)
      .optional()
      .describe('A refresh added it. Executor asks before each call until a person has reviewed it'),
    suggestion: z
      .object({ effect: Effect.optional(), repeatable: z.boolean().optional(), why: z.string() })
      .optional()
      .describe('Evidence that the tool does less than its effect says; it counts once a person confirms it'),
    edited: z.literal(true).optional().describe('A person set its effect'),
  })
  .meta({ id: 'ToolSummary' });
export type ToolSummary = z.infer<typeof ToolSummary>;

const JsonSchema = z.union([z.boolean(), z.record(z.string(), z.unknown())]);

const ToolAuth = z
  .object({
    state: z.enum(['notNeeded', 'ready', 'missing']),
    message: z.string().optional().describe('Which credentials are missing, and how a person sets them'),
  })
  .describe('Whether the credentials for a call are set');
export type ToolAuth = z.infer<typeof ToolAuth>;

export const Tool = ToolSummary.extend({
  signature: z.string().describe('Its input and output types, as TypeScript'),
  example: z.string().describe('A call with all required fields'),
  auth: ToolAuth,
  inputSchema: JsonSchema,
  outputSchema: JsonSchema.optional(),
  definitions: z
    .record(z.string(), JsonSchema)
    .optional()
    .describe('The targets of `#/$defs/NAME` in the schemas'),
  definitionsCut: z.literal(true).optional().describe('There are more definitions than fit in a response'),
  security: z
    .array(z.array(z.object({ scheme: z.string(), scopes: z.array(z.string()).optional() })))
    .optional()
    .describe('The credentials of a call: one of these sets, with every scheme in it'),
}).meta({ id: 'Tool' });
export type Tool = z.infer<typeof Tool>;

export const ToolList = list(ToolSummary).extend({ total: z.int() }).meta({ id: 'ToolList' });

export const ToolQuery = PageQuery.extend({
  filter: z.string().max(200).optional().describe('Part of the path or the description'),
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
    .describe('How many levels of types the signature shows; default: as many as fit'),
});

const MatchedWord = z.object({
  word: z.string().describe('The word of the query'),
  as: z.string().describe('The word of the tool that matches it'),
  via: z
    .enum(['itself', 'inflection', 'verb', 'abbreviation', 'compound', 'spelling', 'source'])
    .describe('Why they match; `source`: it names the source'),
  in: z.array(z.string()).describe('The parts of the tool with this word'),
  worth: z.number().describe('Its weight'),
});

const DiscoveredTool = z.object({
  path: z.string(),
  description: z.string(),
  signature: z.string().describe('Its input and output types, as short TypeScript'),
  approval: z.enum(['allow', 'requireApproval', 'deny']),
  why: z
    .object({
      words: z.array(MatchedWord),
      missing: z.array(z.string()).describe('Words of the query that do not match'),
      need: z.string().optional().describe('The part of the query that it is for, if there are several'),
      signs: z.array(z.string()).describe('Other reasons for or against it'),
      meaning: z.number().optional().describe('How similar its meaning is to that of the query, from 0 to 1'),
      meaningBy: z.literal('model').optional().describe('A language model compared the meanings'),
      score: z.number(),
    })
    .optional()
    .describe('Why it was found; only with `explain`'),
});

export const DiscoveredTools = z
  .object({
    bestPath: z.string().nullable().describe('The best result; null if nothing fits'),
    unsure: z.boolean().optional().describe('True if the best result may not be the right one'),
    results: z.array(DiscoveredTool),
    total: z.int().describe('Number of matching tools, as far as they were counted'),
    hint: z.string().describe('How to improve the query, or what to do first'),
  })
  .meta({ id: 'DiscoveredTools' });
export type DiscoveredTools = z.infer<typeof DiscoveredTools>;

export const DiscoverQuery = z.object({
  query: z.string().trim().min(1).max(4_000).describe('The task, in a sentence or in keywords'),
  limit: z.coerce.number().int().min(1).max(50).default(10),
  namespace: z.string().max(200).optional().describe('Only the tools of this source'),
  depth: ToolRead.shape.depth,
  explain: z.stringbool().optional().describe('Say why each tool was found'),
});

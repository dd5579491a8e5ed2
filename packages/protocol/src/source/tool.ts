import * as z from 'zod';
import { list, PageQuery } from '../route/list.ts';

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

const MatchedWord = z.object({
  word: z.string().describe('As it was asked for'),
  as: z.string().describe('What stands for it in the tool'),
  via: z
    .enum(['itself', 'inflection', 'verb', 'synonym', 'abbreviation', 'compound', 'spelling', 'source'])
    .describe('How the one stands for the other; `source` where it names the system'),
  in: z.array(z.string()).describe('In which parts of the tool'),
  worth: z.number().describe('How much it counts, before everything else is considered'),
});

const Provides = z
  .object({
    parameter: z.string().optional().describe('What it gives; without it, it finds things by their names'),
    to: z.string().describe('The tool that asks for it'),
  })
  .describe('It is there because another tool must be told of something that it knows');

const DiscoveredTool = z.object({
  path: z.string(),
  description: z.string(),
  signature: z.string().describe('What it takes and answers, as TypeScript, shortened'),
  approval: z.enum(['allow', 'requireApproval', 'deny']),
  provides: Provides.optional(),
  why: z
    .object({
      words: z.array(MatchedWord),
      missing: z.array(z.string()).describe('Words that were asked for, and that it has not'),
      need: z.string().optional().describe('The part of the request that it is for, where there are several'),
      signs: z.array(z.string()).describe('What else speaks for it or against it'),
      score: z.number(),
    })
    .optional()
    .describe('Why it was found, where that was asked for'),
});

export const DiscoveredTools = z
  .object({
    bestPath: z.string().nullable().describe('The tool to look at first; null where nothing fits'),
    results: z.array(DiscoveredTool),
    total: z.int().describe('How many tools come near, as far as they were counted'),
    hint: z.string().describe('How to ask better, or what to do first'),
  })
  .meta({ id: 'DiscoveredTools' });
export type DiscoveredTools = z.infer<typeof DiscoveredTools>;

export const DiscoverQuery = z.object({
  query: z.string().trim().min(1).max(4_000).describe('What you want to do, in a sentence or in keywords'),
  limit: z.coerce.number().int().min(1).max(50).default(10),
  namespace: z.string().max(200).optional().describe('Only the tools of this source'),
  depth: ToolRead.shape.depth,
  explain: z.stringbool().optional().describe('Say why each tool was found'),
});

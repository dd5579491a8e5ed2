import * as z from 'zod';
import { PolicyDecision } from '../approval/policy.ts';
import { list } from '../route/list.ts';
import { SourceApproval } from './kinds/new-source-fields.ts';

const SourceWarning = z.object({ place: z.string(), message: z.string() });

export const Source = z
  .object({
    id: z.string(),
    workspaceId: z.string(),
    kind: z.string(),
    namespace: z.string(),
    name: z.string(),
    title: z.string().optional(),
    description: z.string().optional().describe('What the system says about itself'),
    url: z.string().optional(),
    baseUrl: z.string().optional().describe('Base URL of calls'),
    origins: z.array(z.string()).describe('All hosts that receive calls and credentials; the first hundred'),
    auth: z
      .object({
        type: z.string(),
        schemes: z.array(z.string()).optional().describe('Schemes with a value'),
        headers: z.array(z.string()).optional().describe('Names of additional headers'),
        query: z.array(z.string()).optional().describe('Names of additional query parameters'),
        cookies: z.array(z.string()).optional().describe('Names of additional cookies'),
        certificate: z
          .object({ subject: z.string(), validTo: z.string() })
          .optional()
          .describe('The client certificate'),
      })
      .describe('How calls are authenticated, without the credentials themselves'),
    security: z.array(z.record(z.string(), z.unknown())).describe('Security schemes of its document'),
    approval: SourceApproval,
    settings: z.record(z.string(), z.unknown()),
    toolCount: z.int(),
    unseenCount: z.int(),
    suggestionCount: z.int(),
    warnings: z
      .array(SourceWarning)
      .describe('Problems of its document that did not prevent loading; the first hundred'),
    warningCount: z.int(),
    document: z
      .object({
        mediaType: z.string(),
        bytes: z.int(),
        hash: z.string(),
        name: z.string().optional().describe('File name, if it has several files'),
        files: z
          .array(z.object({ name: z.string(), bytes: z.int(), hash: z.string() }))
          .optional()
          .describe(
            'The other files or URLs of the document; only for people, and only with a single source',
          ),
      })
      .optional(),
    createdBy: z.string(),
    createdAt: z.iso.datetime(),
    updatedAt: z.iso.datetime(),
    loadedAt: z.iso.datetime(),
  })
  .meta({ id: 'Source' });
export type Source = z.infer<typeof Source>;

const difference = {
  added: z.array(z.string()),
  changed: z.array(z.string()),
  removed: z.array(z.string()),
};

export const AffectedRule = z
  .object({
    id: z.string(),
    pattern: z.string(),
    newPattern: z.string().optional().describe('The pattern after the rename, if the rule is rewritten'),
    decision: PolicyDecision,
    change: z
      .enum(['rewritten', 'fewerTools', 'moreTools'])
      .describe('Whether the rule is rewritten, or matches fewer or more tools of the source'),
  })
  .meta({ id: 'AffectedRule' });
export type AffectedRule = z.infer<typeof AffectedRule>;

export const ChangedSource = Source.extend({
  renamed: z
    .object({ from: z.string(), rules: z.array(AffectedRule) })
    .optional()
    .describe('The former namespace and the rules that the rename affected'),
  difference: z
    .object(difference)
    .optional()
    .describe('The tools that were added, changed and removed, if the change read the document'),
}).meta({ id: 'ChangedSource' });
export type ChangedSource = z.infer<typeof ChangedSource>;

export const SourceProgress = z
  .object({
    namespace: z.string().optional(),
    name: z.string(),
    stage: z.enum(['queued', 'fetching', 'reading', 'storing']),
    done: z.number().optional(),
    total: z.number().optional(),
    startedAt: z.iso.datetime(),
  })
  .meta({ id: 'SourceProgress' });
export type SourceProgress = z.infer<typeof SourceProgress>;

export const SourceProblem = z
  .object({
    index: z.int().describe('Its index in the configuration, from 0'),
    name: z.string(),
    message: z.string(),
    retrying: z.literal(true).optional().describe('Executor tries again later'),
  })
  .meta({ id: 'SourceProblem' });
export type SourceProblem = z.infer<typeof SourceProblem>;

export const SourceList = list(Source)
  .extend({
    loading: z.array(SourceProgress).describe('Sources that this server is adding or refreshing now'),
    problems: z
      .array(SourceProblem)
      .describe('Configured sources (EXECUTOR_TOOL_SOURCES) that could not be connected; only for people'),
  })
  .meta({ id: 'SourceList' });

export const SourceRefresh = z
  .object({
    source: Source,
    unchanged: z.boolean().describe('The document and its tools have not changed'),
    ...difference,
    note: z.string().optional().describe('Why a refresh cannot update this source, and what to do instead'),
  })
  .meta({ id: 'SourceRefresh' });
export type SourceRefresh = z.infer<typeof SourceRefresh>;

export const SourceLogs = z
  .object({ items: z.array(z.object({ at: z.iso.datetime(), text: z.string() })) })
  .meta({ id: 'SourceLogs' });

export const DocumentQuery = z.object({
  file: z.string().max(8_000).optional().describe('Name of one of its files; default: the document itself'),
});

import * as z from 'zod';
import { atMostOneLocation, filesWithDocument, oneLocation } from './kinds/fields.ts';
import { NewGoogleSource } from './kinds/google.ts';
import { NewGraphQlSource } from './kinds/graphql.ts';
import { mcpChanges, NewMcpSource } from './kinds/mcp.ts';
import { Approval, Namespace, newSourceFields } from './kinds/new-source-fields.ts';
import { NewOpenApiSource, openApiChanges, openApiFields } from './kinds/openapi.ts';
import { sourceKinds } from './kinds/source-kinds.ts';
import { authWith, ClientCertificate, SchemeValue } from './source-auth.ts';
import { Effect } from './tool.ts';

/** Without a kind, which is detected. It takes the settings of every kind that can be detected, and the engine checks those of the kind. */
const DetectedNewSource = z
  .strictObject({
    kind: z.undefined().optional().describe('Detected if absent'),
    ...newSourceFields,
    ...openApiFields,
  })
  .refine(...oneLocation)
  .refine(...filesWithDocument);

export const NewSource = z
  .discriminatedUnion(
    'kind',
    [DetectedNewSource, NewOpenApiSource, NewGraphQlSource, NewGoogleSource, NewMcpSource],
    {
      error: `must be one of ${sourceKinds.join(', ')}, or absent`,
    },
  )
  .meta({ id: 'NewSource' });
export type NewSource = z.infer<typeof NewSource>;

const ToolEdit = z.strictObject({ effect: Effect.optional(), repeatable: z.boolean().optional() });

/** The kind of a source never changes. The engine rejects settings of other kinds. */
export const SourceChange = z
  .strictObject({
    name: newSourceFields.name,
    ...mcpChanges,
    ...openApiChanges,
    url: openApiChanges.url.describe('New URL of its document; it is read at once'),
    document: openApiChanges.document.describe('The new document, as text'),
    namespace: Namespace.optional().describe(
      'Rename the source: a request of its own. Rules that name the old namespace are rewritten with it',
    ),
    confirmRules: z
      .union([z.literal(true), z.array(z.string())])
      .optional()
      .describe(
        'With namespace: the ids of the affected rules, or true for all. Without them the request fails with `conflict` and lists the rules in `details.rules`',
      ),
    auth: authWith(SchemeValue.nullable(), ClientCertificate.nullable())
      .optional()
      .describe('Schemes and certificate are added to the present ones; null removes one'),
    approval: z
      .strictObject({ read: Approval.nullish(), write: Approval.nullish() })
      .optional()
      .describe('Absent: unchanged; null: back to the default'),
    tools: z
      .record(z.string(), ToolEdit.nullable())
      .optional()
      .describe('Settings of single tools, by path; null resets a tool'),
    acceptSuggestions: z
      .union([z.literal(true), z.array(z.string())])
      .optional()
      .describe('Accept suggestions that tools do less than their method says: all, or those of these tools'),
    seen: z
      .union([z.literal(true), z.array(z.string())])
      .optional()
      .describe('Mark new writes as reviewed: all, or these'),
  })
  .refine(...atMostOneLocation)
  .refine(...filesWithDocument)
  .meta({ id: 'SourceChange' });
export type SourceChange = z.infer<typeof SourceChange>;

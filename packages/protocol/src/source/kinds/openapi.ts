import * as z from 'zod';
import {
  atMostOneLocation,
  documentFields,
  filesWithDocument,
  HttpUrl,
  httpChanges,
  httpFields,
  oneLocation,
} from './fields.ts';
import { newSourceFields } from './new-source-fields.ts';

/** The settings of a source of the kind `openapi`. */
export const openApiFields = {
  ...documentFields,
  baseUrl: HttpUrl.optional().describe('Base URL of calls; overrides the document'),
  serverVariables: z.record(z.string(), z.string().max(2_000)).optional(),
  externalReferences: z
    .union([z.boolean(), z.array(z.string().max(300)).max(50)])
    .optional()
    .describe('Whether to follow `$ref`s to other hosts, or the hosts to allow'),
  ...httpFields,
};

export const OpenApiSettings = z
  .strictObject(openApiFields)
  .refine(...atMostOneLocation)
  .refine(...filesWithDocument);

export const NewOpenApiSource = z
  .strictObject({ kind: z.literal('openapi'), ...newSourceFields, ...openApiFields })
  .refine(...oneLocation)
  .refine(...filesWithDocument);

/** The same settings in a change. Null restores the default. */
export const openApiChanges = {
  ...openApiFields,
  ...httpChanges,
  baseUrl: openApiFields.baseUrl.nullable().describe('Base URL of calls; null: the one of the document'),
};

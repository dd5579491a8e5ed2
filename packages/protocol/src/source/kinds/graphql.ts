import * as z from 'zod';
import { atMostOneLocation, documentFields, HttpUrl, httpFields, oneLocation } from './fields.ts';
import { newSourceFields } from './new-source-fields.ts';

/** The settings of a source of the kind `graphql`. */
const graphQlFields = {
  url: documentFields.url.describe('URL of the server, or of a file with its schema'),
  document: documentFields.document.describe('The schema: SDL, or the answer to an introspection query'),
  baseUrl: HttpUrl.optional().describe('URL of the server, if `url` is not'),
  ...httpFields,
};

export const GraphQlSettings = z.strictObject(graphQlFields).refine(...atMostOneLocation);

export const NewGraphQlSource = z
  .strictObject({ kind: z.literal('graphql'), ...newSourceFields, ...graphQlFields })
  .refine(...oneLocation);

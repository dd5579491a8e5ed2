import * as z from 'zod';
import { atMostOneLocation, documentFields, HttpUrl, httpFields, oneLocation } from './fields.ts';
import { newSourceFields } from './new-source-fields.ts';

/** The settings of a source of the kind `google`. */
const googleFields = {
  url: documentFields.url,
  document: documentFields.document,
  baseUrl: HttpUrl.optional().describe('Base URL of calls; overrides the rootUrl of the document'),
  ...httpFields,
};

export const GoogleSettings = z.strictObject(googleFields).refine(...atMostOneLocation);

export const NewGoogleSource = z
  .strictObject({ kind: z.literal('google'), ...newSourceFields, ...googleFields })
  .refine(...oneLocation);

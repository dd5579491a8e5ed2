import * as z from 'zod';
import { HeaderName, Pem } from '../source-auth.ts';

/*
 * Settings with the same meaning in several kinds of sources. The engine understands `url`, `baseUrl`, `document`, `files`,
 * `allowPrivateNetwork` and `timeoutMs`. All other settings belong to their kind.
 */

export const HttpUrl = z
  .url({ protocol: /^https?$/, error: 'must be an http or https address' })
  .max(8_000)
  .refine((url) => {
    if (!URL.canParse(url)) return true;
    const { username, password } = new URL(url);
    return username === '' && password === '';
  }, 'must not contain a user name or password, because URLs are shown; pass them as auth');

/** Enough for a document of 50 MB. */
export const maxDocumentChars = 64 * 1024 * 1024;

/** A path relative to the folder of the document, and inside it. */
const FileName = z
  .string()
  .min(1)
  .max(500)
  .regex(/^(?!.*(^|\/)\.{0,2}(\/|$))[^\p{Cc}\\]+$/su, 'must be a path below the folder of the document');

/** A document in several files. */
export const DocumentFiles = z
  .strictObject({
    main: FileName.describe('File name of the document itself'),
    others: z
      .record(FileName, z.string().max(maxDocumentChars))
      .refine((others) => Object.keys(others).length <= 1_000, 'must not be more than 1,000')
      .describe('The texts of the files that it references, by their paths relative to its folder'),
  })
  .meta({ id: 'DocumentFiles' });
export type DocumentFiles = z.infer<typeof DocumentFiles>;

/** A description that is at a URL or handed over as text, possibly in several files. */
export const documentFields = {
  url: HttpUrl.optional().describe('URL of its document'),
  document: z.string().min(1).max(maxDocumentChars).optional().describe('The document itself, as text'),
  files: DocumentFiles.optional(),
};

/** Settings of systems that are called over HTTP. */
export const httpFields = {
  headers: z
    .record(HeaderName, z.string().max(8_000))
    .optional()
    .describe('Headers to send with each call; not secret'),
  allowPrivateNetwork: z
    .boolean()
    .optional()
    .describe('Whether calls may go to this machine and its private networks'),
  serverCa: Pem.optional().describe(
    'CA certificates to trust for its server instead of the default ones, as PEM',
  ),
  timeoutMs: z.int().min(100).max(600_000).optional().describe('Timeout of a call'),
  maxResponseBytes: z.int().min(1).max(1_000_000_000).optional(),
};

/** The same in a change. Null restores the default. */
export const httpChanges = {
  headers: httpFields.headers,
  allowPrivateNetwork: httpFields.allowPrivateNetwork
    .nullable()
    .describe(
      'Whether calls may go to this machine and its private networks; null: only if a URL set by a person is private',
    ),
  serverCa: httpFields.serverCa.nullable(),
  timeoutMs: httpFields.timeoutMs.nullable(),
  maxResponseBytes: httpFields.maxResponseBytes.nullable(),
};

interface Location {
  url?: unknown;
  document?: unknown;
  files?: unknown;
}

export const oneLocation = [
  ({ url, document }: Location) => (url === undefined) !== (document === undefined),
  { error: 'Pass either a url or a document.' },
] as const;

export const atMostOneLocation = [
  ({ url, document }: Location) => url === undefined || document === undefined,
  { error: 'Pass either a url or a document.' },
] as const;

export const filesWithDocument = [
  ({ files, document }: Location) => files === undefined || document !== undefined,
  { error: 'files: only allowed with a document.' },
] as const;

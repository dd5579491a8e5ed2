import * as z from 'zod';

/** Messages from the server to a reader. A document is sent as frames of bytes, followed by the message that ends it. */
export type ToReader =
  | ({ type: 'begin'; format: DocumentFormat } & ReadOptions)
  | { type: 'documentEnd'; url?: string | undefined }
  /** Refuses a document that the reader asked for. */
  | { type: 'referenceRefused'; message: string };

/** The format of a document. */
export type DocumentFormat = 'openapi' | 'google' | 'graphql';

export interface ReadOptions {
  namespace: string;
  /** The tools of the previous version, so that they keep their paths. */
  previous: PreviousTool[];
  /** Values for server variables from the settings. They decide to which server calls are sent. */
  serverVariables?: Record<string, string> | undefined;
}

export interface PreviousTool {
  path: string;
  origin: Record<string, unknown>;
}

const Security = z.looseObject({ name: z.string(), type: z.string() });
const Warning = z.object({ place: z.string(), message: z.string() });

/** Messages from a reader. It has read an untrusted document, so its messages are validated. */
export const FromReader = z.discriminatedUnion('type', [
  z.object({ type: z.literal('progress'), done: z.number(), total: z.number() }),
  /** Asks for a referenced document. The reader waits for it or for its refusal. */
  z.object({ type: z.literal('reference'), url: z.string() }),
  z.object({ type: z.literal('warnings'), warnings: z.array(Warning) }),
  z.object({
    type: z.literal('end'),
    title: z.string().optional(),
    baseUrl: z.string().optional(),
    security: z.array(Security),
    serverVariables: z.array(z.tuple([z.string(), z.array(z.string())])),
    document: z.object({ mediaType: z.string(), bytes: z.number(), hash: z.string() }),
  }),
  /** The document is unusable, perhaps because it is of another format. */
  z.object({ type: z.literal('refused'), message: z.string(), isOtherFormat: z.boolean().optional() }),
  /** The reader failed. */
  z.object({ type: z.literal('failed'), stack: z.string() }),
]);
export type FromReader = z.infer<typeof FromReader>;

import * as z from 'zod';

/** What the server says to a reader. A document is sent as frames of bytes before the message that ends it. */
export type ToReader =
  | ({ type: 'begin' } & ReadOptions)
  | { type: 'documentEnd'; url?: string | undefined }
  /** A document that it asked for is not given. */
  | { type: 'referenceRefused'; message: string };

export interface ReadOptions {
  namespace: string;
  /** Which tools there were, so that they keep their paths. */
  previous: PreviousTool[];
  /** What a person has put for the variables of servers: it decides where calls go. */
  serverVariables?: Record<string, string> | undefined;
}

export interface PreviousTool {
  path: string;
  origin: { method?: unknown; path?: unknown; operationId?: unknown };
}

const Security = z.looseObject({ name: z.string(), type: z.string() });
const Warning = z.object({ place: z.string(), message: z.string() });

/** What a reader says; it has read a document of a stranger, so it is not believed without a look. */
export const FromReader = z.discriminatedUnion('type', [
  z.object({ type: z.literal('progress'), done: z.number(), total: z.number() }),
  /** It waits for this document, or the refusal. */
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
  /** Nothing can be made of the document. */
  z.object({ type: z.literal('refused'), message: z.string() }),
  /** The reader is at fault. */
  z.object({ type: z.literal('failed'), stack: z.string() }),
]);
export type FromReader = z.infer<typeof FromReader>;

import * as z from 'zod';

/** What the engine keeps of an OpenAPI source for its calls and loads; made from what a person said. */
export const OpenApiSettings = z.object({
  /** Where the document is; or the document itself, when it was given as text. */
  url: z.string().optional(),
  document: z.string().optional(),
  /** The files beside that text. */
  files: z.object({ main: z.string(), others: z.record(z.string(), z.string()) }).optional(),
  baseUrl: z.string().optional(),
  serverVariables: z.record(z.string(), z.string()).optional(),
  headers: z.record(z.string(), z.string()).optional(),
  /** Whether calls and references may lead to this machine and its private networks. */
  allowPrivateNetwork: z.boolean().optional(),
  /** Whether calls may go to this machine, though not to its networks. */
  allowThisMachine: z.boolean().optional(),
  externalReferences: z.union([z.boolean(), z.array(z.string())]).optional(),
  /** Whom to trust for the certificate of the server, as PEM. */
  serverCa: z.string().optional(),
  timeoutMs: z.number().optional(),
  maxResponseBytes: z.number().optional(),
});
export type OpenApiSettings = z.infer<typeof OpenApiSettings>;

import * as z from 'zod';

/** The stored settings of an OpenAPI source, made from what the user entered. */
export const OpenApiSettings = z.object({
  /** The URL of the document, or the document itself as text. */
  url: z.string().optional(),
  document: z.string().optional(),
  /** The files that the text references. */
  files: z.object({ main: z.string(), others: z.record(z.string(), z.string()) }).optional(),
  baseUrl: z.string().optional(),
  serverVariables: z.record(z.string(), z.string()).optional(),
  headers: z.record(z.string(), z.string()).optional(),
  /** Whether calls and references may reach this machine and private networks. */
  allowPrivateNetwork: z.boolean().optional(),
  /** Whether calls may reach this machine but not private networks. */
  allowThisMachine: z.boolean().optional(),
  externalReferences: z.union([z.boolean(), z.array(z.string())]).optional(),
  /** PEM of the certificate authorities to trust for the server. */
  serverCa: z.string().optional(),
  timeoutMs: z.number().optional(),
  maxResponseBytes: z.number().optional(),
});
export type OpenApiSettings = z.infer<typeof OpenApiSettings>;

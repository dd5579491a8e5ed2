import * as z from 'zod';

/** The stored settings of a GraphQL source, made from what the user entered. */
export const GraphQlSettings = z.object({
  /** The URL of the server, or of a file with its schema. */
  url: z.string().optional(),
  /** The schema as text: SDL, or the answer to an introspection query. */
  document: z.string().optional(),
  /** The URL of the server, if `url` is not. */
  baseUrl: z.string().optional(),
  headers: z.record(z.string(), z.string()).optional(),
  /** Whether calls may reach this machine and private networks. */
  allowPrivateNetwork: z.boolean().optional(),
  /** Whether calls may reach this machine but not private networks. */
  allowThisMachine: z.boolean().optional(),
  /** PEM of the certificate authorities to trust for the server. */
  serverCa: z.string().optional(),
  timeoutMs: z.number().optional(),
  maxResponseBytes: z.number().optional(),
});
export type GraphQlSettings = z.infer<typeof GraphQlSettings>;

const file = /\.(graphqls?|gql|sdl|json|txt)$/i;

/** Whether a URL is that of a file with a schema, and not that of a server. */
export function isSchemaFile(url: string): boolean {
  return file.test(new URL(url).pathname);
}

/** The URL that calls are sent to; undefined if only a schema is known. */
export function endpointOf({ url, baseUrl }: Pick<GraphQlSettings, 'url' | 'baseUrl'>): string | undefined {
  return baseUrl ?? (url !== undefined && !isSchemaFile(url) ? url : undefined);
}

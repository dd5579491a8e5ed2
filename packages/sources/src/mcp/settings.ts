import { ExecutorError } from '@executor/protocol';
import * as z from 'zod';

/** The stored settings of an MCP source. */
const McpSettings = z.object({
  url: z.string().optional(),
  transport: z.enum(['http', 'sse', 'stdio']).optional(),
  command: z.string().optional(),
  args: z.array(z.string()).optional(),
  cwd: z.string().optional(),
  env: z.record(z.string(), z.string()).optional(),
  headers: z.record(z.string(), z.string()).optional(),
  allowPrivateNetwork: z.boolean().optional(),
  allowThisMachine: z.boolean().optional(),
  serverCa: z.string().optional(),
  timeoutMs: z.number().optional(),
  maxResponseBytes: z.number().optional(),
});
export type McpSettings = z.infer<typeof McpSettings>;

const known = new WeakMap<object, McpSettings>();

/** Cached by object: each call of a source passes the same settings object. */
export function parseSettings(settings: Record<string, unknown>): McpSettings {
  const cached = known.get(settings);
  if (cached) return cached;
  const { success, data, error } = McpSettings.safeParse(settings);
  if (!success)
    throw new ExecutorError(
      'invalidRequest',
      `The settings of this MCP source are invalid: ${error.message}`,
    );
  known.set(settings, data);
  return data;
}

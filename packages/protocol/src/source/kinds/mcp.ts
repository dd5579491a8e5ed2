import * as z from 'zod';
import { HttpUrl, httpChanges, httpFields } from './fields.ts';
import { newSourceFields } from './new-source-fields.ts';

/** What a process may get as an argument or a variable. */
const ProcessText = z
  .string()
  .max(8_000)
  .regex(/^[^\0]*$/, 'must not contain a NUL character');

/** The settings of a source of the kind `mcp`: a server at a URL, or a program on this machine. */
const mcpFields = {
  url: HttpUrl.optional().describe('URL of its endpoint'),
  transport: z
    .enum(['http', 'sse', 'stdio'])
    .optional()
    .describe('Streamable HTTP, server-sent events, or a program on this machine; detected if absent'),
  command: ProcessText.min(1).optional().describe('stdio: the program that Executor starts'),
  args: z.array(ProcessText).max(500).optional().describe('stdio: its arguments'),
  cwd: ProcessText.min(1).optional().describe('stdio: the folder that it starts in'),
  env: z
    .record(z.string().regex(/^[^\0=]+$/, 'must be the name of a variable'), ProcessText)
    .optional()
    .describe('stdio: environment variables in addition to a few such as PATH and HOME; secret'),
  ...httpFields,
};

interface Location {
  url?: unknown;
  command?: unknown;
  transport?: unknown;
  args?: unknown;
  cwd?: unknown;
  env?: unknown;
}

const oneServer = [
  ({ url, command }: Location) => (url === undefined) !== (command === undefined),
  { error: 'Pass either a url or a command.' },
] as const;

const fittingTransport = [
  ({ command, transport }: Location) =>
    transport === undefined || (transport === 'stdio') === (command !== undefined),
  { error: 'transport: stdio needs a command, the others need a url.' },
] as const;

const commandOnly = [
  ({ command, args, cwd, env }: Location) =>
    command !== undefined || [args, cwd, env].every((setting) => setting === undefined),
  { error: 'args, cwd and env: only allowed with a command.' },
] as const;

export const McpSettings = z
  .strictObject(mcpFields)
  .refine(...oneServer)
  .refine(...fittingTransport)
  .refine(...commandOnly);

export const NewMcpSource = z
  .strictObject({ kind: z.literal('mcp'), ...newSourceFields, ...mcpFields })
  .refine(...oneServer)
  .refine(...fittingTransport)
  .refine(...commandOnly);

/** The same settings in a change. Null restores the default. */
export const mcpChanges = {
  ...mcpFields,
  ...httpChanges,
  transport: mcpFields.transport.nullable(),
  args: mcpFields.args.nullable(),
  cwd: mcpFields.cwd.nullable(),
  env: mcpFields.env.nullable().describe('stdio: all its environment variables; secret'),
};

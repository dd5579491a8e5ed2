import { NewExecution } from '@executor/protocol';
import type { Tool } from '@modelcontextprotocol/server';
import * as z from 'zod';

/** Shorter than the shortest timeout that MCP clients set for a call. */
const defaultWaitMs = 25_000;
/** Many clients give up after 60 seconds. */
const maxWaitMs = 50_000;

const { code, idempotencyKey } = NewExecution.shape;
const waitMs = z
  .number()
  .min(0)
  .default(defaultWaitMs)
  .describe(`Milliseconds to wait for the result, at most ${maxWaitMs}. The run continues either way`)
  .transform((ms) => Math.min(Math.round(ms), maxWaitMs));

export const ExecuteInput = z.strictObject({
  code: code.describe('TypeScript'),
  waitMs,
  idempotencyKey: idempotencyKey.describe('A second call with the same key returns the same run'),
});

export const ResumeInput = z.strictObject({ executionId: z.string().min(1).max(100), waitMs });

/**
 * The two tools that an agent sees. Every word stays in the agent's context, so the descriptions are short; the server's instructions
 * explain what code can do. There is no output schema, because a result is any value that the code returns.
 */
export const tools: Tool[] = [
  {
    name: 'execute',
    title: 'Run code',
    description:
      'Runs TypeScript in a sandbox where `tools.*` are the operations of the connected systems. Use `await` and `return`. Answers with the returned value, or with `waiting` and a url if your user must approve a call.',
    inputSchema: jsonSchema(ExecuteInput),
    annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true },
  },
  {
    name: 'resume',
    title: 'Wait for a run',
    description:
      'Waits for a `waiting` or `running` run and answers as `execute` does. It cannot approve: your user does that at the url.',
    inputSchema: jsonSchema(ResumeInput),
    annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  },
];

function jsonSchema(schema: z.ZodType): Tool['inputSchema'] {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io: 'input' });
  return rest as Tool['inputSchema'];
}

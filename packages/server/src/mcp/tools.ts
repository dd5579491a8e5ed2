import { maxWaitMs, NewExecution } from '@executor/protocol';
import type { Tool } from '@modelcontextprotocol/server';
import * as z from 'zod';

/** How long a call waits for its run unless it says: shorter than the shortest time that clients give a call. */
const usualWaitMs = 25_000;

const waitMs = z.int().min(0).max(maxWaitMs).default(usualWaitMs);
const { code, idempotencyKey } = NewExecution.shape;

export const ExecuteInput = z.strictObject({ code, waitMs, idempotencyKey });

export const ResumeInput = z.strictObject({ executionId: z.string().min(1).max(100), waitMs });

const waitSchema = {
  type: 'integer',
  minimum: 0,
  maximum: maxWaitMs,
  default: usualWaitMs,
  description: 'Milliseconds to wait for the result; the run goes on either way',
};

/**
 * All that an agent is offered. Every word is in its context for as long as it works, so there are few: what the code may do is in the
 * server's instructions. There is no output schema: a result is whatever the code returned.
 */
export const tools: Tool[] = [
  {
    name: 'execute',
    title: 'Run code',
    description:
      'Runs TypeScript in a sandbox where `tools.*` are the operations of the connected systems. Use `await` and `return`; answers with what was returned. Where a person must approve a call, it answers `waiting` with a url.',
    inputSchema: {
      type: 'object',
      additionalProperties: false,
      required: ['code'],
      properties: {
        code: { type: 'string' },
        waitMs: waitSchema,
        idempotencyKey: {
          type: 'string',
          maxLength: 200,
          description: 'The same key again answers with the same run',
        },
      },
    },
    annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true },
  },
  {
    name: 'resume',
    title: 'Wait for a run',
    description:
      'Waits for a run that was `waiting` or `running` and answers as `execute` does. It approves nothing: a person does, at the url.',
    inputSchema: {
      type: 'object',
      additionalProperties: false,
      required: ['executionId'],
      properties: { executionId: { type: 'string' }, waitMs: waitSchema },
    },
    annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  },
];

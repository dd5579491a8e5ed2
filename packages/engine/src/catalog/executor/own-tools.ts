import { ExecutorError } from '@executor/protocol';
import type { ExecutionRow } from '../../ports/execution-store.ts';
import type { CallProblem, Invocation, InvocationOutcome, Tool } from '../../ports/source.ts';
import type { Store } from '../../ports/store.ts';
import type { Reader } from '../description/known-tools.ts';

/** Some of what Executor itself offers to code, and what it does. */
export interface OwnTools {
  tools: Tool[];
  operations: Record<string, (invocation: Invocation) => Promise<InvocationOutcome>>;
  /** Throws where the call could only fail: before a person is asked about it. */
  checks?: Record<string, (input: never, workspaceId: string) => Promise<void>>;
  /** What a person is shown of an input instead of all of it. */
  previews?: Record<string, (input: unknown) => unknown>;
  /** The input itself without what is secret in it; the very same where nothing is. */
  shownInputs?: Record<string, (input: unknown) => unknown>;
}

/** What most of them are. */
export const own = { effect: 'read', repeatable: true, version: '1', origin: { name: 'executor' } } as const;

/** What is wrong with a request is the code's business; what is wrong with us is not. */
export function answering(
  store: Pick<Store, 'executions'>,
  operation: (input: never, execution: ExecutionRow) => Promise<unknown>,
) {
  return async ({ input, call }: Invocation): Promise<InvocationOutcome> => {
    const execution = await store.executions.find(call.workspaceId, call.executionId);
    if (execution === undefined) return { type: 'error', message: 'The run is not there any more.' };
    try {
      return { type: 'value', value: await operation(input as never, execution) };
    } catch (error) {
      return problemOf(error);
    }
  };
}

export function problemOf(error: unknown): CallProblem {
  if (!(error instanceof ExecutorError) || ['internal', 'databaseUnavailable'].includes(error.code))
    throw error;
  return { type: 'error', message: error.message, details: { code: error.code, ...error.details } };
}

/** What is denied does not appear to code, whoever runs it. */
export function readerOf({ workspaceId, actorId, clientId }: ExecutionRow): Reader {
  return { workspaceId, actorId, ...(clientId !== null && { clientId }), kind: 'agent' };
}

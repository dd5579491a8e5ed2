import { ExecutorError } from '@executor/protocol';
import type { ExecutionRow } from '../../ports/execution-store.ts';
import type { Meter } from '../../ports/meter.ts';
import type { CallProblem, Invocation, InvocationOutcome, Tool } from '../../ports/source.ts';
import type { Store } from '../../ports/store.ts';
import { CpuMeter } from '../../resource/cpu-meter.ts';
import type { Reader } from '../description/known-tools.ts';

/** A group of built-in tools with their implementations. */
export interface BuiltInTools {
  tools: Tool[];
  operations: Record<string, (invocation: Invocation) => Promise<InvocationOutcome>>;
  /** Throws if the call would fail, before a reviewer is asked to approve it. */
  checks?: Record<string, (input: never, workspaceId: string) => Promise<void>>;
  /** The input as a reviewer sees it. */
  previews?: Record<string, (input: unknown) => unknown>;
  /** The input without its secrets; the same object if it has none. */
  shownInputs?: Record<string, (input: unknown) => unknown>;
}

/** The properties that most built-in tools share. */
export const toolDefaults = {
  effect: 'read',
  repeatable: true,
  version: '1',
  origin: { name: 'executor' },
} as const;

/**
 * Makes the implementation of a tool from an operation. Errors of the request become results that the code can handle;
 * internal errors are thrown.
 */
export function operationFor(
  store: Pick<Store, 'executions'>,
  operation: (input: never, execution: ExecutionRow, meter: Meter) => Promise<unknown>,
) {
  return async ({ input, call, meter = new CpuMeter() }: Invocation): Promise<InvocationOutcome> => {
    const execution = await store.executions.find(call.workspaceId, call.executionId);
    if (execution === undefined) return { type: 'error', message: 'The run no longer exists.' };
    try {
      return { type: 'value', value: await operation(input as never, execution, meter) };
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

/** Code always reads as an agent, so that it cannot see denied tools. */
export function readerOf({ workspaceId, actorId, clientId }: ExecutionRow, meter: Meter): Reader {
  return { workspaceId, actorId, ...(clientId !== null && { clientId }), kind: 'agent', meter };
}

import { ExecutorError } from '@executor/protocol';
import type { Decision } from '../../policy/policies.ts';
import type { CallResult } from '../../ports/sandbox.ts';

/** A failed call, as the code sees it. */
export function toolError(message: string, details?: Record<string, unknown>): CallResult {
  return {
    type: 'error',
    name: 'ToolError',
    message,
    ...(details && { details: JSON.stringify(details) }),
  };
}

/** A call that a rule or a reviewer denied. */
export function toolDenied(message: string, details: Record<string, unknown>): CallResult {
  return { type: 'error', name: 'ToolDeniedError', message, details: JSON.stringify(details) };
}

export function deniedByRule(path: string, { reason, policyId }: Decision): CallResult {
  const details = { code: 'denied', by: 'policy', ...(policyId && { policyId }) };
  return toolDenied(`${path} is denied: ${reason}`, details);
}

/** The reason that the code may see. Errors of the database are not for untrusted code. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof ExecutorError)) return (error as Error).message;
  return error.code === 'payloadTooLarge' ? error.message : 'something went wrong inside Executor.';
}

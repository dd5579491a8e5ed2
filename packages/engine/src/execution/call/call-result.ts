import { ExecutorError } from '@executor/protocol';
import type { Decision } from '../../policy/policies.ts';
import type { CallResult, SandboxCall } from '../../ports/sandbox.ts';

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
  return shownCodes.has(error.code) ? error.message : 'something went wrong inside Executor.';
}

const shownCodes = new Set<ExecutorError['code']>([
  'payloadTooLarge',
  'tooManyRequests',
  'quotaExceeded',
  'gone',
]);

/** The code of a failed call, for the code of the run. */
export function codeOf(error: unknown): string {
  const isShown = error instanceof ExecutorError && shownCodes.has(error.code);
  return isShown ? error.code : 'failed';
}

/** A call for which the owner of the run has no room. Other errors are thrown. */
export function overQuota({ path }: Pick<SandboxCall, 'path'>, error: unknown): CallResult {
  if (!(error instanceof ExecutorError) || error.code !== 'quotaExceeded') throw error;
  return toolError(`${path} was not called. ${error.message}`, { code: error.code, ...error.details });
}

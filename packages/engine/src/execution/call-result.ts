import type { CallResult } from '../ports/sandbox.ts';

/** A failed call, as the code gets to see it. */
export function toolError(message: string, details?: Record<string, unknown>): CallResult {
  return {
    type: 'error',
    name: 'ToolError',
    message,
    ...(details && { details: JSON.stringify(details) }),
  };
}

/** A call that a rule or a person refused. */
export function toolDenied(message: string, details: Record<string, unknown>): CallResult {
  return { type: 'error', name: 'ToolDeniedError', message, details: JSON.stringify(details) };
}

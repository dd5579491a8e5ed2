import type { CallProblem, Invocation } from '@executor/engine';
import { privateAddressSentence, UnreachableError } from '../http/unreachable-error.ts';
import { requestProblem } from './call-problems.ts';
import { RequestError } from './request-error.ts';

export const defaultTimeoutMs = 60_000;

/** The source's own timeout, if it is shorter than the engine's. */
export function deadlineOf(
  { timeoutMs }: { timeoutMs?: number | undefined },
  signal: AbortSignal,
): AbortSignal {
  return timeoutMs === undefined ? signal : AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]);
}

/** The outcome of a call that threw. Errors of Executor itself are thrown again. */
export function failureOutcome(
  error: unknown,
  { tool }: Invocation,
  { timedOut, timeoutMs }: { timedOut: boolean; timeoutMs: number },
): CallProblem {
  const doubt = tool.repeatable ? '' : ' It is not known whether the call took effect.';
  if (timedOut) {
    const message = `${tool.path} did not respond within ${timeoutMs / 1000} s.${doubt}`;
    return { type: 'error', message, details: { code: 'timeout' } };
  }
  if (error instanceof RequestError) return requestProblem(error);
  if (!(error instanceof UnreachableError)) throw error;
  const [namespace = ''] = tool.path.split('.');
  const reason = error.refused
    ? privateAddressSentence(error.refused, namespace)
    : error.message + adviceFor(error, namespace);
  const message = error.mayHaveArrived ? `${reason}${doubt}` : reason;
  return { type: 'error', message, details: { code: error.code } };
}

function adviceFor({ code }: UnreachableError, namespace: string): string {
  if (code !== 'clientCertificate') return '';
  return ` To set one, run: executor sources edit ${namespace} --client-certificate FILE --client-key FILE`;
}

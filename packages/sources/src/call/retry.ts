import type { Clock, InvocationOutcome } from '@executor/engine';
import { type UnreachableCode, UnreachableError } from '../http/unreachable-error.ts';

export interface RetryOptions {
  /** Whether the call is idempotent. Other calls are sent once. */
  repeatable: boolean;
  /** No attempt starts after this time, in milliseconds since 1970. */
  endsAt: number;
  signal: AbortSignal;
  clock: Pick<Clock, 'now' | 'at'>;
  /** From 0 to 1. */
  random(): number;
}

const maxAttempts = 4;
const firstWaitMs = 500;
const maxWaitMs = 10_000;
const transientStatuses = new Set([429, 502, 503, 504]);
const transientErrors = new Set<UnreachableCode>(['connectionRefused', 'networkDown', 'reset', 'timeout']);

/** Retries transient failures: after the server's `Retry-After`, otherwise with exponential back-off. */
export async function withRetries(
  attempt: () => Promise<InvocationOutcome>,
  options: RetryOptions,
): Promise<InvocationOutcome> {
  for (let attempts = 1; ; attempts++) {
    const { outcome, failure } = await settled(attempt);
    const waitMs =
      options.repeatable && attempts < maxAttempts
        ? waitAfter({ outcome, failure }, attempts, options)
        : undefined;
    if (waitMs === undefined || options.clock.now().getTime() + waitMs >= options.endsAt) {
      if (outcome) return outcome;
      throw failure;
    }
    await pause(waitMs, options);
  }
}

interface Settled {
  outcome?: InvocationOutcome;
  failure?: unknown;
}

async function settled(attempt: () => Promise<InvocationOutcome>): Promise<Settled> {
  try {
    return { outcome: await attempt() };
  } catch (failure) {
    return { failure };
  }
}

/** Undefined if a retry would not help. */
function waitAfter(
  { outcome, failure }: Settled,
  attempts: number,
  { random }: RetryOptions,
): number | undefined {
  const backOff = Math.min(firstWaitMs * 2 ** (attempts - 1), maxWaitMs) * (0.5 + random() / 2);
  if (failure !== undefined)
    return failure instanceof UnreachableError && transientErrors.has(failure.code) ? backOff : undefined;
  if (outcome?.type !== 'error') return undefined;
  const { status, retryAfterMs } = outcome.details ?? {};
  if (!transientStatuses.has(status as number)) return undefined;
  return typeof retryAfterMs === 'number' ? Math.max(retryAfterMs, backOff / 4) : backOff;
}

function pause(ms: number, { clock, signal }: RetryOptions): Promise<void> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted();
    const abort = () => {
      cancel();
      reject(signal.reason);
    };
    const cancel = clock.at(clock.now().getTime() + ms, () => {
      signal.removeEventListener('abort', abort);
      resolve();
    });
    signal.addEventListener('abort', abort, { once: true });
  });
}

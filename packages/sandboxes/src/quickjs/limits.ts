import type { CodeError, SandboxLimits } from '@executor/engine';
import { ExecutorError } from '@executor/protocol';
import type { VmLimits } from './messages/messages.ts';

const kilobyte = 1024;
const megabyte = 1024 * kilobyte;
const wasmPageBytes = 64 * kilobyte;
/** The engine and the prelude need this much. */
const minMemoryMb = 4;
const maxMemoryMb = 1024;

export const defaultLimits: SandboxLimits = {
  cpuMs: 10_000,
  replayCpuMs: 30_000,
  memoryMb: 64,
  sourceBytes: megabyte,
  calls: 10_000,
  outstandingCalls: 2_000,
  callBytes: megabyte,
  outstandingBytes: 4 * megabyte,
  callParts: 100_000,
  logBytes: 256 * kilobyte,
  resultBytes: megabyte,
};

export function resolveLimits(limits: Partial<SandboxLimits> = {}): SandboxLimits {
  const resolved = { ...defaultLimits, ...limits };
  for (const [name, value] of Object.entries(resolved)) {
    if (Number.isFinite(value) && value >= 0) continue;
    throw new ExecutorError('invalidRequest', `limits.${name} must be a number, 0 or more; got ${value}.`);
  }
  if (resolved.memoryMb < minMemoryMb || resolved.memoryMb > maxMemoryMb) {
    const expected = `from ${minMemoryMb} to ${maxMemoryMb}`;
    throw new ExecutorError(
      'invalidRequest',
      `limits.memoryMb must be ${expected}; got ${resolved.memoryMb}.`,
    );
  }
  return resolved;
}

/** An error if the source exceeds the limit. */
export function tooLong(source: string, allowed: number): CodeError | undefined {
  const bytes = Buffer.byteLength(source);
  if (bytes <= allowed) return undefined;
  const message = `The code has ${bytes} bytes; ${allowed} are allowed.`;
  return { name: 'LimitError', message, reason: 'limit' };
}

/** The limits that the lane enforces. The server enforces the others. */
export function vmLimits(limits: SandboxLimits): VmLimits {
  const { calls, outstandingCalls, callBytes, callParts, outstandingBytes, logBytes, resultBytes } = limits;
  const memoryPages = Math.floor((limits.memoryMb * megabyte) / wasmPageBytes);
  const calling = { calls, outstandingCalls, callBytes, callParts, outstandingBytes };
  return { memoryPages, ...calling, logBytes, resultBytes };
}

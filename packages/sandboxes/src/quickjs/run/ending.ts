import type {
  CodeError,
  RecordedCall,
  SandboxCall,
  SandboxLimits,
  SandboxOutcome,
  SandboxUsage,
} from '@executor/engine';

/** How a run ended, without its usage. */
export type Ending = DistributiveOmit<SandboxOutcome, 'usage'>;
type DistributiveOmit<T, K extends PropertyKey> = T extends unknown ? Omit<T, K> : never;

const megabyte = 1024 * 1024;

/** `callMs` is the part that its calls used. */
export function timedOut(usedMs: number, callMs: number, { cpuMs }: SandboxLimits): Ending {
  const calls = callMs < 1 ? '' : ` Calls of Executor's own tools used ${Math.round(callMs)} ms of them.`;
  const message = `The code used ${Math.round(usedMs)} ms of CPU time; ${cpuMs} ms are allowed.${calls}`;
  return { type: 'timedOut', message, allowed: { cpuMs } };
}

export function replayTimedOut(usage: SandboxUsage, { replayCpuMs }: SandboxLimits): Ending {
  const message = `Rebuilding the run used ${Math.round(usage.replayCpuMs)} ms of CPU time; ${replayCpuMs} ms are allowed.`;
  return { type: 'timedOut', message, allowed: { replayCpuMs } };
}

export function outOfMemory(usage: SandboxUsage, { memoryMb }: SandboxLimits, error?: CodeError): Ending {
  const used = (usage.memoryBytes / megabyte).toFixed(1);
  const message = `The code ran out of memory: it uses ${used} MB and asked for more; ${memoryMb} MB are allowed.`;
  return {
    type: 'outOfMemory',
    message,
    allowed: { memoryBytes: memoryMb * megabyte },
    ...(error && { error }),
  };
}

/** A rebuilt run made a call that differs from the recorded one. */
export function differentCall(made: SandboxCall, recorded: RecordedCall): Ending {
  const message = `Call ${made.index} was ${recorded.path} (input ${recorded.inputHash}) in the first run, but is ${made.path} (input ${made.inputHash}) in the replay. ${lost}`;
  return { type: 'nondeterminism', message, index: made.index, recorded, made };
}

/** A rebuilt run did not make a recorded call. */
export function missingCall(index: number, recorded: RecordedCall | undefined): Ending {
  const was = recorded ? `was ${recorded.path} (input ${recorded.inputHash})` : 'was made';
  const message = `Call ${index} ${was} in the first run, but the replay does not make it. ${lost}`;
  return { type: 'nondeterminism', message, index, ...(recorded && { recorded }) };
}

const lost = 'The run cannot continue from its journal.';

import { availableParallelism } from 'node:os';
import type { Confinement } from './confinement.ts';
import { defaultLimits } from './limits.ts';

export interface QuickJsSandboxOptions {
  /** The folder that `buildSandbox` filled. */
  folder: string;
  /** From `probeConfinement`; probed when left out. */
  confinement?: Confinement;
  lanes?: Partial<PoolOptions['lanes']>;
  /** VMs alive at once; beyond that, waiting ones are evicted and new runs queue. */
  vms?: number;
  /** Bytes of calls and results under way beyond which no further run is started. */
  bytesInFlight?: number;
  waiting?: Partial<PoolOptions['waiting']>;
  /** All processes stop when nothing has run for this long. */
  idleMs?: number;
  /** Bytes of source that can be compiled; a run's own limit holds for what it is given to run. */
  sourceBytes?: number;
}

export interface PoolOptions {
  folder: string;
  /** Up to `warm` lanes stand ready, one more than there are runs; `most` is the ceiling under attack. */
  lanes: { warm: number; most: number };
  vms: number;
  bytesInFlight: number;
  /** A VM that waits this long becomes pages; pages beyond the bytes or the age are dropped. */
  waiting: { keepAfterMs: number; dropAfterMs: number; keptBytes: number };
  idleMs: number;
  sweepMs: number;
  sourceBytes: number;
}

const megabyte = 1024 * 1024;

export function resolveOptions(options: QuickJsSandboxOptions): PoolOptions {
  const waiting = { keepAfterMs: 2_000, dropAfterMs: 600_000, keptBytes: 128 * megabyte, ...options.waiting };
  return {
    folder: options.folder,
    lanes: { warm: Math.max(3, availableParallelism()), most: 16, ...options.lanes },
    vms: options.vms ?? 256,
    bytesInFlight: options.bytesInFlight ?? 256 * megabyte,
    waiting,
    idleMs: options.idleMs ?? 60_000,
    sourceBytes: options.sourceBytes ?? defaultLimits.sourceBytes,
    sweepMs: Math.max(10, Math.min(100, waiting.keepAfterMs / 4)),
  };
}

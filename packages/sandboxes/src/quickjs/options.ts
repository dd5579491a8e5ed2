import { availableParallelism } from 'node:os';
import type { Confinement } from './child-process/confinement.ts';
import { defaultLimits } from './limits.ts';
import type { HeavyLimits } from './pool/heavy-turns.ts';

export interface QuickJsSandboxOptions {
  /** The folder that `buildSandbox` filled. */
  folder: string;
  /** From `probeConfinement`. Probed if omitted. */
  confinement?: Confinement;
  lanes?: Partial<PoolOptions['lanes']>;
  heavy?: Partial<PoolOptions['heavy']>;
  /** Maximum number of live VMs. Beyond that, waiting VMs are evicted and new runs queue. */
  vms?: number;
  /** Waiting VMs are dropped and rebuilt later while all live VMs together use more memory. */
  vmBytes?: number;
  /** No new run starts while more bytes of inputs and results are in flight. */
  bytesInFlight?: number;
  waiting?: Partial<PoolOptions['waiting']>;
  /** All processes stop after this long without a run. */
  idleMs?: number;
  /** Maximum bytes of source to compile. A run may have a lower limit of its own. */
  sourceBytes?: number;
}

export interface PoolOptions {
  folder: string;
  /** Up to `warm` lanes are kept ready, one more than there are runs. `max` is the limit under attack. */
  lanes: { warm: number; max: number };
  heavy: HeavyLimits;
  vms: number;
  vmBytes: number;
  bytesInFlight: number;
  /** After `keepAfterMs`, a waiting VM is stored as pages. Pages are dropped beyond `keptBytes` or after `dropAfterMs`. */
  waiting: { keepAfterMs: number; dropAfterMs: number; keptBytes: number };
  idleMs: number;
  sweepMs: number;
  sourceBytes: number;
}

const megabyte = 1024 * 1024;

export function resolveOptions(options: QuickJsSandboxOptions): PoolOptions {
  const cores = availableParallelism();
  const warm = Math.max(3, cores);
  const heavy = { max: Math.max(3, cores), perOwner: Math.max(2, Math.ceil(cores / 2)), ...options.heavy };
  const waiting = { keepAfterMs: 2_000, dropAfterMs: 600_000, keptBytes: 64 * megabyte, ...options.waiting };
  return {
    folder: options.folder,
    lanes: { warm, max: warm + heavy.max, ...options.lanes },
    heavy,
    vms: options.vms ?? 256,
    vmBytes: options.vmBytes ?? 96 * megabyte,
    bytesInFlight: options.bytesInFlight ?? 256 * megabyte,
    waiting,
    idleMs: options.idleMs ?? 60_000,
    sourceBytes: options.sourceBytes ?? defaultLimits.sourceBytes,
    sweepMs: Math.max(10, Math.min(100, waiting.keepAfterMs / 4)),
  };
}

import type { Worker as WorkerView } from '@executor/protocol';
import type { Clock } from '../../clock.ts';
import type { Store } from '../../ports/store.ts';
import type { WorkerRow } from '../../ports/worker-store.ts';
import { executorItself } from '../../resource/account.ts';
import { chargeTo } from '../../resource/charge.ts';
import type { Run } from '../run/run.ts';

interface HeartbeatOptions {
  store: Store;
  clock: Clock;
  leaseMs: number;
  /** The runs in this process. */
  runs: ReadonlyMap<string, Run>;
  /** What other processes see of this worker. */
  row(): Omit<WorkerRow, 'seenAt'>;
}

/** Renews the leases of the runs in this process, and announces the worker to other processes. */
export class Heartbeat {
  readonly #options: HeartbeatOptions;
  #isOn = false;
  #cancelNext = () => {};

  constructor(options: HeartbeatOptions) {
    this.#options = options;
  }

  start(): void {
    this.#isOn = true;
    this.#beat();
  }

  /** The worker is no longer listed. Leases that are left end by themselves. */
  async stop(): Promise<void> {
    // Set first: a renewal in flight would schedule the next one.
    this.#isOn = false;
    this.#cancelNext();
    const { store, row } = this.#options;
    if (store.kind === 'postgres') await store.workers.remove(row().id).catch(() => {});
  }

  /** All live workers, of all processes. */
  async list(): Promise<WorkerView[]> {
    const { store, leaseMs, clock, row } = this.#options;
    const own = this.#isOn ? [{ ...row(), seenAt: clock.now() }] : [];
    const rows = store.kind === 'postgres' ? await store.workers.list(leaseMs * 2) : own;
    return rows.map(({ startedAt, seenAt, ...worker }) => ({
      ...worker,
      startedAt: startedAt.toISOString(),
      seenAt: seenAt.toISOString(),
    }));
  }

  #beat(): void {
    const { clock, leaseMs } = this.#options;
    this.#cancelNext = clock.after(leaseMs / 3, () => {
      void chargeTo(executorItself, () => this.#renew()).finally(() => {
        if (this.#isOn) this.#beat();
      });
    });
    void this.#announce();
  }

  /** A run that another worker holds now is dropped. */
  async #renew(): Promise<void> {
    const { store, leaseMs, runs } = this.#options;
    const held = [...runs.values()];
    if (held.length === 0) return;
    const leases = held.map(({ lease }) => lease);
    const kept = new Set(await store.executions.renew(leases, leaseMs).catch(() => held.map(({ id }) => id)));
    for (const run of held) {
      if (runs.get(run.id) !== run) continue;
      // Notices may be lost, and a run with a call in flight is not released, so it would not read its journal otherwise.
      if (kept.has(run.id)) run.readJournal();
      else run.lose();
    }
  }

  async #announce(): Promise<void> {
    const { store, row } = this.#options;
    if (store.kind === 'postgres') await store.workers.announce(row()).catch(() => {});
  }
}

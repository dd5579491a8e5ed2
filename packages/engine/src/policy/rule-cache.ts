import type { PolicyRow } from '../ports/policy-store.ts';
import type { Store } from '../ports/store.ts';

/** Rules older than `freshMs` are read again in the background; rules older than `staleMs` are read again before they are used. */
const freshMs = 2_000;
const staleMs = 5_000;

interface Dependencies {
  store: Pick<Store, 'policies' | 'subscribe'>;
  now: () => Date;
}

interface Entry {
  rules: PolicyRow[];
  readAt: number;
}

/**
 * The rules of each workspace, in memory because every call needs them.
 *
 * A change notice drops them. Notices can be lost, so rules older than `staleMs` are never used; rules older than `freshMs` are used once
 * more while they are read again.
 */
export class RuleCache {
  readonly #store: Dependencies['store'];
  readonly #now: () => Date;
  readonly #entries = new Map<string, Entry>();
  readonly #reading = new Map<string, Promise<PolicyRow[]>>();

  constructor({ store, now }: Dependencies) {
    this.#store = store;
    this.#now = now;
    store.subscribe((change) => {
      if (change.type === 'policies') this.forget(change.workspaceId);
    });
  }

  async get(workspaceId: string): Promise<PolicyRow[]> {
    const entry = this.#entries.get(workspaceId);
    const age = entry === undefined ? Number.POSITIVE_INFINITY : this.#now().getTime() - entry.readAt;
    // If the clock was set back, the age is negative and means nothing.
    if (entry === undefined || age > staleMs || age < 0) return this.#read(workspaceId);
    if (age > freshMs) void this.#read(workspaceId).catch(() => {});
    return entry.rules;
  }

  /** Reads the rules from the database, even if they are in memory. */
  async getFresh(workspaceId: string): Promise<PolicyRow[]> {
    this.forget(workspaceId);
    return this.#read(workspaceId);
  }

  /** A read in flight may have begun before the change, so its result is not kept. */
  forget(workspaceId: string): void {
    this.#entries.delete(workspaceId);
    this.#reading.delete(workspaceId);
  }

  #read(workspaceId: string): Promise<PolicyRow[]> {
    const inFlight = this.#reading.get(workspaceId);
    if (inFlight) return inFlight;
    const readAt = this.#now().getTime();
    const reading = this.#store.policies.all(workspaceId).then(
      (rules) => {
        if (this.#reading.get(workspaceId) === reading) {
          this.#entries.set(workspaceId, { rules, readAt });
          this.#reading.delete(workspaceId);
        }
        return rules;
      },
      (error) => {
        if (this.#reading.get(workspaceId) === reading) this.#reading.delete(workspaceId);
        throw error;
      },
    );
    this.#reading.set(workspaceId, reading);
    return reading;
  }
}

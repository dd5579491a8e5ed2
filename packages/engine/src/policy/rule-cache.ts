import type { PolicyRow } from '../ports/policy-store.ts';
import type { Store } from '../ports/store.ts';

/** Read again in the background when older than this, and before they are used when older than that. */
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
 * The rules of each workspace, kept in memory because every call is decided by them.
 *
 * They are forgotten as soon as a change is heard of. Changes may go unheard, so no decision is made by rules that are older than
 * `staleMs`; in between, rules past `freshMs` serve once more while they are read again.
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
    // A clock that was set back makes the age negative, which says nothing about it.
    if (entry === undefined || age > staleMs || age < 0) return this.#read(workspaceId);
    if (age > freshMs) void this.#read(workspaceId).catch(() => {});
    return entry.rules;
  }

  /** What the database has now, whatever is in memory. */
  async getFresh(workspaceId: string): Promise<PolicyRow[]> {
    this.forget(workspaceId);
    return this.#read(workspaceId);
  }

  /** A reading that is under way may have begun before the change, so it is not waited for any more and not kept. */
  forget(workspaceId: string): void {
    this.#entries.delete(workspaceId);
    this.#reading.delete(workspaceId);
  }

  #read(workspaceId: string): Promise<PolicyRow[]> {
    const underWay = this.#reading.get(workspaceId);
    if (underWay) return underWay;
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

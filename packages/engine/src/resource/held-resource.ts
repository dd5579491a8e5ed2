import { ExecutorError, type ResourceLimits, type ResourceName, resourceTable } from '@executor/protocol';
import type { Account } from './account.ts';
import { FairQueue } from './fair-queue.ts';

/** A part of a resource that somebody holds. */
export interface Hold {
  readonly amount: number;
  /** Gives a part back. An amount that is not smaller changes nothing. */
  shrinkTo(amount: number): void;
  /** Gives everything back. A second call changes nothing. */
  release(): void;
}

interface Waiter {
  account: Account;
  amount: number;
  grant(hold: Hold): void;
}

const amountOf = ({ amount }: Waiter) => amount;

/**
 * A resource of which callers hold an amount for a while. Nobody gets more than `perKey`, agents together get no more than `agents`, and
 * everybody together no more than `total`. Callers that wait are served in turns, the key that got the smallest amounts first, people before agents.
 */
export class HeldResource {
  readonly limits: ResourceLimits;
  readonly #name: ResourceName;
  readonly #held = new Map<string, number>();
  readonly #people = new FairQueue<Waiter>(amountOf);
  readonly #agents = new FairQueue<Waiter>(amountOf);
  #byAgents = 0;
  #byAll = 0;

  constructor(name: ResourceName, limits: ResourceLimits) {
    this.#name = name;
    this.limits = limits;
  }

  /** Takes an amount at once. Undefined if it is not free, or if callers before this one wait. */
  tryTake(account: Account, amount = 1): Hold | undefined {
    const isOvertaking = this.#queueOf(account).has(account.key);
    return !isOvertaking && this.#fits({ account, amount }) ? this.#take(account, amount) : undefined;
  }

  /** Takes an amount at once. Throws `tooManyRequests` if it is not free. */
  require(account: Account, amount = 1): Hold {
    const hold = this.tryTake(account, amount);
    if (hold) return hold;
    throw this.#refusal(account, amount, 'tooManyRequests');
  }

  /** Waits until the amount is free. Throws `quotaExceeded` if the account may never hold so much, or the reason of the signal. */
  take(account: Account, amount = 1, signal?: AbortSignal): Promise<Hold> {
    const queue = this.#queueOf(account);
    if (amount > this.maxFor(account)) {
      return Promise.reject(this.#refusal(account, amount, 'quotaExceeded'));
    }
    return new Promise((resolve, reject) => {
      signal?.throwIfAborted();
      const waiter: Waiter = { account, amount, grant };
      const leave = () => {
        queue.remove(account.key, waiter);
        reject(signal?.reason);
        this.#serve();
      };
      function grant(hold: Hold): void {
        signal?.removeEventListener('abort', leave);
        resolve(hold);
      }
      signal?.addEventListener('abort', leave, { once: true });
      queue.add(account.key, waiter);
      this.#serve();
    });
  }

  /** Waits until the amount is free, but not longer than this time. Then throws `tooManyRequests`. */
  async takeWithin(ms: number, account: Account, amount = 1): Promise<Hold> {
    const free = this.tryTake(account, amount);
    if (free) return free;
    const patience = new AbortController();
    const timer = setTimeout(() => patience.abort(this.#refusal(account, amount, 'tooManyRequests')), ms);
    return this.take(account, amount, patience.signal).finally(() => clearTimeout(timer));
  }

  /** The largest amount that an account may ever hold. */
  maxFor({ kind }: Account): number {
    const { perKey, agents, total } = this.limits;
    return kind === 'person' ? Math.min(perKey, total) : Math.min(perKey, agents);
  }

  /** Takes an amount even if it is not free, for something that exists already. */
  takeAnyway(account: Account, amount = 1): Hold {
    return this.#take(account, amount);
  }

  /** What is free now, and what each key holds. */
  get room(): { total: number; agents: number; held: Record<string, number>; full: string[] } {
    const { total, agents, perKey } = this.limits;
    const held = Object.fromEntries(this.#held);
    return {
      total: total - this.#byAll,
      agents: Math.min(agents - this.#byAgents, total - this.#byAll),
      held,
      full: Object.keys(held).filter((key) => (held[key] ?? 0) >= perKey),
    };
  }

  /** How much is held, in all and by the keys that hold the largest amounts. */
  usage(): { used: number; byAgents: number; waiting: number; users: { key: string; used: number }[] } {
    const users = [...this.#held]
      .map(([key, used]) => ({ key, used }))
      .sort((one, other) => other.used - one.used)
      .slice(0, shownUsers);
    const waiting = this.#people.size + this.#agents.size;
    return { used: this.#byAll, byAgents: this.#byAgents, waiting, users };
  }

  /** People first. An agent whose turn it is keeps the turn until enough is free, so that large amounts are not overtaken for ever. */
  #serve(): void {
    for (const queue of [this.#people, this.#agents]) {
      for (;;) {
        const next = queue.next((waiter) => this.#isInOwnShare(waiter));
        if (next === undefined || !this.#fits(next)) break;
        queue.remove(next.account.key, next);
        next.grant(this.#take(next.account, next.amount));
      }
    }
  }

  #fits({ account, amount }: Pick<Waiter, 'account' | 'amount'>): boolean {
    const isInShare = account.kind === 'person' || this.#byAgents + amount <= this.limits.agents;
    return this.#isInOwnShare({ account, amount }) && isInShare && this.#byAll + amount <= this.limits.total;
  }

  /** Whether the key's own share allows it. If not, the turn passes to the next key. */
  #isInOwnShare({ account, amount }: Pick<Waiter, 'account' | 'amount'>): boolean {
    return (this.#held.get(account.key) ?? 0) + amount <= this.maxFor(account);
  }

  #take(account: Account, amount: number): Hold {
    let held = 0;
    const change = (to: number) => {
      this.#add(account, to - held);
      held = to;
    };
    change(amount);
    return {
      get amount() {
        return held;
      },
      shrinkTo: (to) => {
        if (to >= held) return;
        change(Math.max(0, to));
        this.#serve();
      },
      release: () => {
        if (held === 0) return;
        change(0);
        this.#serve();
      },
    };
  }

  #add({ key, kind }: Account, amount: number): void {
    const held = (this.#held.get(key) ?? 0) + amount;
    if (held > 0) this.#held.set(key, held);
    else this.#held.delete(key);
    this.#byAll += amount;
    if (kind === 'agent') this.#byAgents += amount;
  }

  #queueOf({ kind }: Account): FairQueue<Waiter> {
    return kind === 'person' ? this.#people : this.#agents;
  }

  #refusal({ key }: Account, amount: number, code: 'tooManyRequests' | 'quotaExceeded'): ExecutorError {
    const { description } = resourceTable[this.#name];
    const used = this.#held.get(key) ?? 0;
    const { perKey, agents } = this.limits;
    const details = { resource: this.#name, requested: amount, used, perKey, agents };
    const fact = `The limit of ${description} is ${perKey} per key and ${agents} for all agents together.`;
    if (code === 'quotaExceeded') {
      return new ExecutorError(code, `${fact} This needs ${amount}. Ask for less.`, { details });
    }
    return new ExecutorError(code, `${fact} This key holds ${used}. Try again in ${retrySeconds} s.`, {
      details: { ...details, retryAfterSeconds: retrySeconds },
    });
  }
}

const shownUsers = 5;
const retrySeconds = 1;

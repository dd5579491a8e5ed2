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

/** What is free of a resource, and how much one key may hold at present. */
interface Room {
  total: number;
  agents: number;
  perOwner: Record<Account['kind'], number>;
  held: Record<string, number>;
  /** The keys that may hold no more at present. */
  full: string[];
}

interface Waiter {
  account: Account;
  amount: number;
  grant(hold: Hold): void;
}

const amountOf = ({ amount }: Waiter) => amount;

/** Agents share the common part. The modest part is for keys that hold nothing, or then at most half of what a key may hold. */
type Part = 'people' | 'common' | 'modest';

/**
 * A resource of which callers hold an amount for a while. Nobody gets more than `perKey`, agents together get no more than `agents`, and
 * everybody together no more than `total`. Callers that wait are served in turns, the key that got the smallest amounts first, people before agents.
 *
 * Half of the agents' part is left to keys that hold little. Otherwise a few keys could hold all of it, and others would wait for them.
 */
export class HeldResource {
  readonly limits: ResourceLimits;
  readonly #name: ResourceName;
  readonly #modest: { part: number; perKey: number };
  readonly #held = new Map<string, { kind: Account['kind']; amount: number }>();
  readonly #people = new FairQueue<Waiter>(amountOf);
  readonly #agents = new FairQueue<Waiter>(amountOf);
  readonly #used: Record<Part, number> = { people: 0, common: 0, modest: 0 };

  constructor(name: ResourceName, limits: ResourceLimits) {
    this.#name = name;
    this.limits = limits;
    // The common part has room for the largest amount that one key may hold.
    const largest = Math.min(limits.perKey, limits.agents);
    const part = Math.min(Math.ceil(limits.agents / 2), limits.agents - largest);
    this.#modest = { part, perKey: Math.max(1, Math.floor(largest / 2)) };
  }

  /** Takes an amount at once. Undefined if it is not free, or if callers before this one wait. */
  tryTake(account: Account, amount = 1): Hold | undefined {
    if (this.#queueOf(account).has(account.key)) return undefined;
    const part = this.#partFor({ account, amount });
    return part && this.#take(account, amount, part);
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
    const usual = account.kind === 'person' ? 'people' : 'common';
    return this.#take(account, amount, this.#partFor({ account, amount }) ?? usual);
  }

  /** Once the common part is used up, only keys that hold little get more. */
  get room(): Room {
    const total = this.limits.total - this.#byAll;
    const common = this.#freeIn('common');
    const agents = common > 0 ? common : this.#freeIn('modest');
    const perOwner = {
      person: this.limits.perKey,
      agent: common > 0 ? this.limits.perKey : this.#modest.perKey,
    };
    const holders = [...this.#held];
    return {
      ...{ total, agents: Math.min(agents, total), perOwner },
      held: Object.fromEntries(holders.map(([key, { amount }]) => [key, amount])),
      full: holders.filter(([, { kind, amount }]) => amount >= perOwner[kind]).map(([key]) => key),
    };
  }

  /** How much is held, in all and by the keys that hold the largest amounts. */
  usage(): { used: number; byAgents: number; waiting: number; users: { key: string; used: number }[] } {
    const users = [...this.#held]
      .map(([key, { amount }]) => ({ key, used: amount }))
      .sort((one, other) => other.used - one.used)
      .slice(0, shownUsers);
    const waiting = this.#people.size + this.#agents.size;
    const { common, modest } = this.#used;
    return { used: this.#byAll, byAgents: common + modest, waiting, users };
  }

  get #byAll(): number {
    const { people, common, modest } = this.#used;
    return people + common + modest;
  }

  /** People first. An agent whose turn it is keeps the turn until enough is free, so that large amounts are not overtaken for ever. */
  #serve(): void {
    this.#serveAll(this.#people, (waiter) => this.#isInOwnShare(waiter));
    this.#serveAll(this.#agents, (waiter) => this.#isInOwnShare(waiter));
    this.#serveAll(this.#agents, (waiter) => this.#partFor(waiter) === 'modest');
  }

  #serveAll(queue: FairQueue<Waiter>, mayServe: (waiter: Waiter) => boolean): void {
    for (let next = queue.next(mayServe); next !== undefined; next = queue.next(mayServe)) {
      const part = this.#partFor(next);
      if (part === undefined) return;
      queue.remove(next.account.key, next);
      next.grant(this.#take(next.account, next.amount, part));
    }
  }

  /** The part that has room for this amount. */
  #partFor({ account, amount }: Pick<Waiter, 'account' | 'amount'>): Part | undefined {
    const isFree = this.#byAll + amount <= this.limits.total;
    if (!isFree || !this.#isInOwnShare({ account, amount })) return undefined;
    if (account.kind === 'person') return 'people';
    if (amount <= this.#freeIn('common')) return 'common';
    const held = this.#heldBy(account);
    const isModest = held === 0 || held + amount <= this.#modest.perKey;
    return isModest && amount <= this.#freeIn('modest') ? 'modest' : undefined;
  }

  #freeIn(part: 'common' | 'modest'): number {
    const size = part === 'modest' ? this.#modest.part : this.limits.agents - this.#modest.part;
    return size - this.#used[part];
  }

  /** Whether the key's own share allows it. If not, the turn passes to the next key. */
  #isInOwnShare({ account, amount }: Pick<Waiter, 'account' | 'amount'>): boolean {
    return this.#heldBy(account) + amount <= this.maxFor(account);
  }

  #heldBy({ key }: Account): number {
    return this.#held.get(key)?.amount ?? 0;
  }

  #take(account: Account, amount: number, part: Part): Hold {
    let held = 0;
    const change = (to: number) => {
      this.#add(account, to - held);
      this.#used[part] += to - held;
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

  #add(account: Account, amount: number): void {
    const held = this.#heldBy(account) + amount;
    if (held > 0) this.#held.set(account.key, { kind: account.kind, amount: held });
    else this.#held.delete(account.key);
  }

  #queueOf({ kind }: Account): FairQueue<Waiter> {
    return kind === 'person' ? this.#people : this.#agents;
  }

  #refusal(account: Account, amount: number, code: 'tooManyRequests' | 'quotaExceeded'): ExecutorError {
    const { description } = resourceTable[this.#name];
    const used = this.#heldBy(account);
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

import {
  ExecutorError,
  type Presence,
  type PresenceChange,
  type Principal,
  presenceHeader,
} from '@executor/protocol';
import { auditEntry } from '../audit-entry.ts';
import { onlyPerson } from '../identity/only-person.ts';
import type { PresenceRow, Store } from '../ports/store.ts';
import { hashPin, pinMatches } from './pin.ts';

interface Dependencies {
  store: Pick<Store, 'presence'>;
  now: () => Date;
}

/** The number of wrong PINs in a row that do not lock. */
const freeAttempts = 5;

const minute = 60_000;
const maxLockMs = 24 * 60 * minute;

/**
 * Proof of presence, for users who turned it on: a PIN in addition to the credential.
 *
 * - An attempt is counted in the database before it is checked, so that concurrent attempts do not allow more guesses.
 * - One process checks the attempts of an actor one by one, so that each sees the lock of the one before. Two processes can each check one
 *   attempt past the limit at the same moment. Both count, and extend the lock.
 * - While the actor is locked, no attempt is counted or checked, not even the correct PIN.
 */
export class PresenceGuard {
  readonly #store: Dependencies['store'];
  readonly #now: () => Date;
  readonly #turns = new Map<string, Promise<unknown>>();

  constructor({ store, now }: Dependencies) {
    this.#store = store;
    this.#now = now;
  }

  async get(principal: Principal): Promise<Presence> {
    onlyPerson(principal, 'prove to be there');
    const row = await this.#find(principal);
    const locked = row && lockedUntil(row, this.#now());
    return { mode: row?.mode ?? 'off', ...(locked && { lockedUntil: locked.toISOString() }) };
  }

  /** Whether answers of this person need proof. */
  async isOn(principal: Principal): Promise<boolean> {
    return ((await this.#find(principal))?.mode ?? 'off') !== 'off';
  }

  async update(principal: Principal, change: PresenceChange, proof: string | undefined): Promise<Presence> {
    await this.require(principal, proof);
    const { workspaceId, actorId } = principal;
    const from = (await this.#find(principal))?.mode ?? 'off';
    const to = change.mode;
    if (to === 'off' && from === 'off') return this.get(principal);
    const pinHash = change.pin === undefined ? null : await hashPin(change.pin);
    const action = to === 'off' ? 'presence.off' : from === 'pin' ? 'presence.pinChanged' : 'presence.on';
    await this.#store.presence.set(
      { workspaceId, actorId, mode: to, pinHash, failures: 0, lockedUntil: null },
      auditEntry(principal, this.#now(), { action, target: actorId, details: { mode: { from, to } } }),
    );
    return this.get(principal);
  }

  /** Throws `presenceRequired` or `tooManyAttempts` if proof is needed and missing or wrong. */
  async require(principal: Principal, proof: string | undefined): Promise<void> {
    onlyPerson(principal, 'prove to be there');
    const row = await this.#find(principal);
    if (row === undefined || row.mode === 'off') return;
    if (proof === undefined || proof === '') throw proofMissing();
    await this.#inTurn(`${principal.workspaceId} ${principal.actorId}`, () =>
      this.#attempt(principal, proof),
    );
  }

  async #attempt(principal: Principal, proof: string): Promise<void> {
    const { workspaceId, actorId } = principal;
    const row = await this.#find(principal);
    if (row === undefined || row.mode === 'off' || row.pinHash === null) return;
    const locked = lockedUntil(row, this.#now());
    if (locked) throw this.#lockedOut(locked);
    const attempts = await this.#store.presence.countAttempt(workspaceId, actorId);
    // Past the limit, an attempt is checked only if the previous one set a lock and no other attempt came in between.
    const inOrder = row.lockedUntil !== null && attempts === row.failures + 1;
    const judged = attempts <= freeAttempts || inOrder;
    if (judged && (await pinMatches(proof, row.pinHash))) {
      await this.#store.presence.clear(workspaceId, actorId);
    } else if (attempts >= freeAttempts) {
      throw this.#lockedOut(await this.#lock(principal, attempts));
    } else {
      throw wrongPin(freeAttempts - attempts);
    }
  }

  async #lock(principal: Principal, attempts: number): Promise<Date> {
    const at = this.#now();
    const until = new Date(at.getTime() + lockMs(attempts));
    const details = { wrongPins: attempts, until: until.toISOString() };
    const { workspaceId, actorId } = principal;
    const audit = auditEntry(principal, at, { action: 'presence.locked', target: actorId, details });
    await this.#store.presence.lock(workspaceId, actorId, until, audit);
    return until;
  }

  #lockedOut(until: Date): ExecutorError {
    const wait = inWords(until.getTime() - this.#now().getTime());
    return new ExecutorError(
      'tooManyAttempts',
      `Too many wrong PINs in a row: none is accepted until ${until.toISOString()} (${wait}). Nothing was changed.`,
      { details: { lockedUntil: until.toISOString() } },
    );
  }

  #find({ workspaceId, actorId }: Principal): Promise<PresenceRow | undefined> {
    return this.#store.presence.find(workspaceId, actorId);
  }

  async #inTurn(key: string, work: () => Promise<void>): Promise<void> {
    const before = this.#turns.get(key) ?? Promise.resolve();
    const turn = before.then(work);
    const settled = turn.catch(() => {});
    this.#turns.set(key, settled);
    try {
      await turn;
    } finally {
      if (this.#turns.get(key) === settled) this.#turns.delete(key);
    }
  }
}

function lockedUntil(row: PresenceRow, now: Date): Date | undefined {
  return row.lockedUntil !== null && row.lockedUntil > now ? row.lockedUntil : undefined;
}

function proofMissing(): ExecutorError {
  return new ExecutorError(
    'presenceRequired',
    `Presence is on: this needs your PIN. At a terminal the CLI asks for it; over HTTP send it as ${presenceHeader}.`,
  );
}

function wrongPin(left: number): ExecutorError {
  const more = left === 1 ? 'One more wrong one' : `${left} more wrong ones in a row`;
  return new ExecutorError(
    'presenceRequired',
    `That is not the PIN. ${more}, and none is accepted for ${inWords(lockMs(freeAttempts))}.`,
    { details: { attemptsLeft: left } },
  );
}

/** How long a wrong attempt locks: a minute for the fifth, then twice as long for each further one, up to a day. */
export function lockMs(attempts: number): number {
  return Math.min(maxLockMs, minute * 2 ** Math.max(0, attempts - freeAttempts));
}

/** `4 minutes`, `2 hours`. */
function inWords(milliseconds: number): string {
  const minutes = Math.ceil(milliseconds / minute);
  if (minutes < 120) return minutes === 1 ? '1 minute' : `${minutes} minutes`;
  return `${Math.ceil(minutes / 60)} hours`;
}

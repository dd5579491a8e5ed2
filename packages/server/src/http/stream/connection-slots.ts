import { ownerOf } from '@executor/engine';
import type { Principal } from '@executor/protocol';

export interface SlotLimits {
  /** Maximum for one credential. */
  perPrincipal: number;
  /** Maximum for all agents together, so that slots are left for people. */
  agents: number;
}

/** Streams and waits of agents together take at most 800 of the 1,000 connections that `listen` accepts. */
const defaults: SlotLimits = { perPrincipal: 64, agents: 400 };

/** Limits the requests that hold a connection for long: event streams, and waits for a run. Each takes a slot. */
export class ConnectionSlots {
  readonly limits: SlotLimits;
  readonly #taken = new Map<string, number>();
  #byAgents = 0;

  constructor(limits: Partial<SlotLimits> = {}) {
    this.limits = { ...defaults, ...limits };
  }

  /** Takes a slot. Returns a function that releases it, or undefined if none is free. */
  take(principal: Principal): (() => void) | undefined {
    const holder = holderOf(principal);
    const share = principal.kind === 'agent' ? 1 : 0;
    const count = this.#taken.get(holder) ?? 0;
    if (count >= this.limits.perPrincipal || this.#byAgents + share > this.limits.agents) return undefined;
    this.#taken.set(holder, count + 1);
    this.#byAgents += share;
    let held = true;
    return () => {
      if (held) this.#release(holder, share);
      held = false;
    };
  }

  #release(holder: string, share: number): void {
    const left = (this.#taken.get(holder) ?? 1) - 1;
    if (left > 0) this.#taken.set(holder, left);
    else this.#taken.delete(holder);
    this.#byAgents -= share;
  }
}

/** An agent that uses a person's credential takes none of that person's slots. */
function holderOf(principal: Principal): string {
  const { kind, apiKeyId, sessionId, actorId } = principal;
  return kind === 'agent' ? ownerOf(principal) : (apiKeyId ?? sessionId ?? actorId);
}

import { ownerOf } from '@executor/engine';
import type { Principal } from '@executor/protocol';

export interface PlaceLimits {
  /** How many one credential may have. */
  perPrincipal: number;
  /** How many all agents may have together: whatever keys they hold, there is room left for people. */
  agents: number;
}

/** Streams and waits of agents together take 800 of the thousand connections that `listen` lets be open. */
const defaults: PlaceLimits = { perPrincipal: 64, agents: 400 };

/** What holds a connection for long (a stream of events, a wait for a run) takes a place, of which there are so many. */
export class Places {
  readonly limits: PlaceLimits;
  readonly #taken = new Map<string, number>();
  #byAgents = 0;

  constructor(limits: Partial<PlaceLimits> = {}) {
    this.limits = { ...defaults, ...limits };
  }

  /** Takes a place; answers with how to give it back, or undefined where there is none. */
  take(principal: Principal): (() => void) | undefined {
    const who = holderOf(principal);
    const share = principal.kind === 'agent' ? 1 : 0;
    const count = this.#taken.get(who) ?? 0;
    if (count >= this.limits.perPrincipal || this.#byAgents + share > this.limits.agents) return undefined;
    this.#taken.set(who, count + 1);
    this.#byAgents += share;
    let held = true;
    return () => {
      if (held) this.#free(who, share);
      held = false;
    };
  }

  #free(who: string, share: number): void {
    const left = (this.#taken.get(who) ?? 1) - 1;
    if (left > 0) this.#taken.set(who, left);
    else this.#taken.delete(who);
    this.#byAgents -= share;
  }
}

/** An agent that uses a person's credential takes none of that person's places. */
function holderOf(principal: Principal): string {
  const { kind, apiKeyId, sessionId, actorId } = principal;
  return kind === 'agent' ? ownerOf(principal) : (apiKeyId ?? sessionId ?? actorId);
}

import { createHash } from 'node:crypto';
import type { Agent } from 'undici';
import { type ConnectionLimits, createConnections, type Handshake } from './connections.ts';
import type { Reach } from './reach.ts';
import type { Resolve } from './resolve.ts';

/** They are few; those that were not used for longest are let go. */
const maxParticular = 32;

/**
 * Connections are shared only by requests that may go equally far, show the same certificate and trust the same authorities: whoever is let
 * in by one must not be on the connection of another.
 */
export class ConnectionPools {
  readonly #create: (reach: Reach, handshake?: Handshake) => Agent;
  readonly #plain: Record<Reach, Agent>;
  readonly #particular = new Map<string, Agent>();

  constructor(resolve: Resolve, limits: ConnectionLimits) {
    this.#create = (reach, handshake) => createConnections(resolve, reach, { ...limits, ...handshake });
    this.#plain = {
      public: this.#create('public'),
      machine: this.#create('machine'),
      private: this.#create('private'),
      link: this.#create('link'),
    };
  }

  for(reach: Reach, handshake: Handshake): Agent {
    const { certificate, serverCa } = handshake;
    if (certificate === undefined && serverCa === undefined) return this.#plain[reach];
    const key = createHash('sha256')
      .update(JSON.stringify([reach, certificate ?? null, serverCa]))
      .digest('hex');
    const agent = this.#particular.get(key) ?? this.#create(reach, handshake);
    // The last one used is the last one in the map.
    this.#particular.delete(key);
    this.#particular.set(key, agent);
    this.#letGo();
    return agent;
  }

  async close(): Promise<void> {
    const all = [...Object.values(this.#plain), ...this.#particular.values()];
    await Promise.all(all.map((agent) => agent.destroy()));
  }

  #letGo(): void {
    const [oldest] = this.#particular;
    if (this.#particular.size <= maxParticular || oldest === undefined) return;
    this.#particular.delete(oldest[0]);
    // What is under way on it comes to its end.
    void oldest[1].close();
  }
}

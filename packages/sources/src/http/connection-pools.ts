import { createHash } from 'node:crypto';
import type { Agent } from 'undici';
import { type ConnectionLimits, createConnections, type Handshake } from './connections.ts';
import type { Reach } from './reach.ts';
import type { Resolve } from './resolve.ts';

/** The least recently used pools are closed. */
const maxCustom = 32;

/**
 * Requests share a connection only if they have the same network reach, client certificate and trusted authorities. Otherwise a request
 * could use a connection that another request was authenticated for.
 */
export class ConnectionPools {
  readonly #create: (reach: Reach, handshake?: Handshake) => Agent;
  readonly #default: Record<Reach, Agent>;
  readonly #custom = new Map<string, Agent>();

  constructor(resolve: Resolve, limits: ConnectionLimits) {
    this.#create = (reach, handshake) => createConnections(resolve, reach, { ...limits, ...handshake });
    this.#default = {
      public: this.#create('public'),
      machine: this.#create('machine'),
      private: this.#create('private'),
      link: this.#create('link'),
    };
  }

  for(reach: Reach, handshake: Handshake): Agent {
    const { certificate, serverCa } = handshake;
    if (certificate === undefined && serverCa === undefined) return this.#default[reach];
    const key = createHash('sha256')
      .update(JSON.stringify([reach, certificate ?? null, serverCa]))
      .digest('hex');
    const agent = this.#custom.get(key) ?? this.#create(reach, handshake);
    // The map is ordered by last use.
    this.#custom.delete(key);
    this.#custom.set(key, agent);
    this.#closeOldest();
    return agent;
  }

  async close(): Promise<void> {
    const all = [...Object.values(this.#default), ...this.#custom.values()];
    await Promise.all(all.map((agent) => agent.destroy()));
  }

  #closeOldest(): void {
    const [oldest] = this.#custom;
    if (this.#custom.size <= maxCustom || oldest === undefined) return;
    this.#custom.delete(oldest[0]);
    // Requests in flight are completed.
    void oldest[1].close();
  }
}

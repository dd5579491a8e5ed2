import { createHash } from 'node:crypto';
import type { Agent } from 'undici';
import { type ConnectionLimits, createConnections, type Handshake } from './connections.ts';
import type { Reach } from './reach.ts';
import type { Resolve } from './resolve.ts';

/** The least recently used pools are closed. */
const maxParticular = 32;

/**
 * Requests share a connection only if they have the same network reach, client certificate and trusted authorities. Otherwise a request
 * could use a connection that another request was authenticated for.
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
    // The map is ordered by last use.
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
    // Requests in flight are completed.
    void oldest[1].close();
  }
}

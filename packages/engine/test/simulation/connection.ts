import { ExecutorError } from '@executor/protocol';
import type { Random } from './random.ts';
import type { Owner, VirtualTime } from './virtual-time.ts';

export interface DatabaseHealth {
  awayUntil: number;
  /** The probability that a request or its response is lost. */
  lossRate: number;
}

interface Parts {
  time: VirtualTime;
  random: Random;
  health: DatabaseHealth;
  owner: Owner;
  /** An embedded database stops when its process is dead. */
  embedded: boolean;
  latencyMs(): number;
}

/** The connection of one process to the database, which may lose requests and responses. */
export class Connection {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  readonly send = (label: string, run: () => unknown): Promise<unknown> => {
    const { time, owner, embedded, latencyMs } = this.#parts;
    return new Promise((resolve, reject) => {
      const answer = (settle: () => void) => time.after(latencyMs(), `answer to ${label}`, settle, owner);
      const arrive = () => {
        const result = this.#perform(run);
        answer(() => ('error' in result ? reject(result.error) : resolve(result.value)));
      };
      time.after(latencyMs(), label, arrive, embedded ? owner : undefined);
    });
  };

  #perform(run: () => unknown): { value: unknown } | { error: unknown } {
    const { time, random, health } = this.#parts;
    if (health.awayUntil > time.now || random.chance(health.lossRate)) return { error: away() };
    try {
      const value = run();
      // The request was executed, but its response is lost.
      return random.chance(health.lossRate) ? { error: away() } : { value };
    } catch (error) {
      return { error };
    }
  }
}

function away(): ExecutorError {
  return new ExecutorError('databaseUnavailable', 'The database does not answer.');
}

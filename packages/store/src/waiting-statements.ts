import { type Account, FairQueue } from '@executor/engine';
import type { Statement } from './statement.ts';

export interface Asked {
  statement: Statement;
  values: unknown[];
  resolve(rows: object[]): void;
  reject(error: unknown): void;
}

/** Large enough that one more sync does not matter, small enough that no statement waits long. */
const maxWeight = 50;
const bytesPerWeight = 64 * 1024;
const largeWeight = 20;

/**
 * The statements that wait for a shared commit. The key with the lightest statements is first, so that a small run does not wait for the
 * large answers of another key. People are before agents and do not share a group with them.
 */
export class WaitingStatements {
  readonly #people = new FairQueue<Asked>(weightOf);
  readonly #agents = new FairQueue<Asked>(weightOf);

  get size(): number {
    return this.#people.size + this.#agents.size;
  }

  get hasPeople(): boolean {
    return this.#people.size > 0;
  }

  add({ kind, key }: Account, asked: Asked): void {
    (kind === 'person' ? this.#people : this.#agents).add(key, asked);
  }

  /** The next statements, at least one, up to a weight. */
  takeGroup(): Asked[] {
    const queue = this.hasPeople ? this.#people : this.#agents;
    const group: Asked[] = [];
    let weight = 0;
    for (let next = queue.next(); next !== undefined; next = queue.next()) {
      weight += weightOf(next);
      if (group.length > 0 && weight > maxWeight) break;
      queue.shift();
      group.push(next);
    }
    return group;
  }

  drain(): Asked[] {
    return [...this.#people.drain(), ...this.#agents.drain()];
  }
}

function weightOf({ statement, values }: Asked): number {
  return (statement.isLarge ? largeWeight : 1) + Math.floor(bytesOf(values) / bytesPerWeight);
}

/** About the number of bytes that the values take. */
function bytesOf(value: unknown): number {
  if (typeof value === 'string') return value.length;
  if (value instanceof Uint8Array) return value.byteLength;
  return Array.isArray(value) ? value.reduce((sum: number, item) => sum + bytesOf(item), 0) : 8;
}

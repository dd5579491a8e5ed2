import { createHash } from 'node:crypto';
import type { Converted } from './definition.ts';

interface Visit {
  name: string;
  /** Index of the next reference to visit. */
  next: number;
  /** Visit order, and the lowest order reachable from it. */
  index: number;
  low: number;
}

/**
 * The hash of a definition with everything it references. Definitions reference each other in cycles, so a cycle gets one hash
 * (Tarjan's strongly connected components). Each definition is visited once, however many tools use it.
 */
export class ClosureHashes {
  readonly #converted: ReadonlyMap<string, Converted>;
  readonly #hashes = new Map<string, string>();

  constructor(converted: ReadonlyMap<string, Converted>) {
    this.#converted = converted;
  }

  of(name: string): string {
    if (!this.#hashes.has(name)) this.#visit(name);
    return this.#hashes.get(name) ?? '';
  }

  #visit(root: string): void {
    const visits = new Map<string, Visit>();
    const stack: Visit[] = [];
    const unfinished: Visit[] = [];
    const enter = (name: string) => {
      const visit = { name, next: 0, index: visits.size, low: visits.size };
      visits.set(name, visit);
      stack.push(visit);
      unfinished.push(visit);
    };
    enter(root);
    for (let visit = stack.at(-1); visit; visit = stack.at(-1)) {
      const next = this.#referencesOf(visit.name)[visit.next++];
      if (next === undefined) {
        stack.pop();
        const parent = stack.at(-1);
        if (parent) parent.low = Math.min(parent.low, visit.low);
        if (visit.low === visit.index) this.#finish(unfinished.splice(unfinished.lastIndexOf(visit)));
      } else if (!this.#hashes.has(next)) {
        const earlier = visits.get(next);
        if (earlier) visit.low = Math.min(visit.low, earlier.index);
        else enter(next);
      }
    }
  }

  #finish(cycle: Visit[]): void {
    const names = new Set(cycle.map(({ name }) => name));
    const parts = new Set<string>();
    for (const name of names) {
      parts.add(`${name} ${this.#converted.get(name)?.hash ?? ''}`);
      for (const other of this.#referencesOf(name)) {
        if (!names.has(other)) parts.add(`${other} ${this.#hashes.get(other) ?? ''}`);
      }
    }
    const hash = createHash('sha256')
      .update([...parts].sort().join('\n'))
      .digest('base64url')
      .slice(0, 22);
    for (const name of names) this.#hashes.set(name, hash);
  }

  #referencesOf(name: string): string[] {
    return this.#converted.get(name)?.references ?? [];
  }
}

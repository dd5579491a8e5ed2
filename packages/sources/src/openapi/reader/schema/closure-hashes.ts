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
    const open = new Map<string, Visit>();
    const way: Visit[] = [];
    const unfinished: Visit[] = [];
    const enter = (name: string) => {
      const visit = { name, next: 0, index: open.size, low: open.size };
      open.set(name, visit);
      way.push(visit);
      unfinished.push(visit);
    };
    enter(root);
    for (let visit = way.at(-1); visit; visit = way.at(-1)) {
      const next = this.#refers(visit.name)[visit.next++];
      if (next === undefined) {
        way.pop();
        const parent = way.at(-1);
        if (parent) parent.low = Math.min(parent.low, visit.low);
        if (visit.low === visit.index) this.#finish(unfinished.splice(unfinished.lastIndexOf(visit)));
      } else if (!this.#hashes.has(next)) {
        const met = open.get(next);
        if (met) visit.low = Math.min(visit.low, met.index);
        else enter(next);
      }
    }
  }

  #finish(circle: Visit[]): void {
    const names = new Set(circle.map(({ name }) => name));
    const parts = new Set<string>();
    for (const name of names) {
      parts.add(`${name} ${this.#converted.get(name)?.hash ?? ''}`);
      for (const other of this.#refers(name)) {
        if (!names.has(other)) parts.add(`${other} ${this.#hashes.get(other) ?? ''}`);
      }
    }
    const hash = createHash('sha256')
      .update([...parts].sort().join('\n'))
      .digest('base64url')
      .slice(0, 22);
    for (const name of names) this.#hashes.set(name, hash);
  }

  #refers(name: string): string[] {
    return this.#converted.get(name)?.refers ?? [];
  }
}

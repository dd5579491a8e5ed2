import type { Place } from './place.ts';

export interface Warning {
  place: string;
  message: string;
}

/** Warnings beyond this number are dropped. */
const kept = 1_000;
const longestPlace = 500;
const longestMessage = 500;
const maxChars = 256 * 1024;

/** Collects the problems of a document that did not prevent reading it, once per position. */
export class Warnings {
  readonly #found = new Map<string, Warning>();
  #more = 0;
  #chars = 0;

  add(place: Place, message: string): void {
    const pointer = place.toString().slice(0, longestPlace);
    const told = message.length > longestMessage ? `${message.slice(0, longestMessage)}…` : message;
    const key = `${pointer} ${told}`;
    if (this.#found.has(key)) return;
    if (this.#found.size >= kept || this.#chars + key.length > maxChars) {
      this.#more += 1;
      return;
    }
    this.#chars += key.length;
    this.#found.set(key, { place: pointer, message: told });
  }

  get all(): Warning[] {
    const all = [...this.#found.values()];
    if (this.#more > 0) {
      all.push({ place: '', message: `Only the first ${all.length} warnings are listed.` });
    }
    return all;
  }
}

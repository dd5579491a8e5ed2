export interface Warning {
  /** JSON pointer. The name is part of the stored format. */
  place: string;
  message: string;
}

/** Warnings beyond this number are dropped. */
const maxWarnings = 1_000;
const maxPointerChars = 500;
const maxMessageChars = 500;
const maxTotalChars = 256 * 1024;

/** Collects problems that did not prevent reading the document. Each is listed once per JSON pointer. */
export class Warnings {
  readonly #found = new Map<string, Warning>();
  #dropped = 0;
  #chars = 0;

  /** `pointer` is a JSON pointer; empty for the whole document. */
  add(pointer: { toString(): string }, message: string): void {
    const place = pointer.toString().slice(0, maxPointerChars);
    const text = message.length > maxMessageChars ? `${message.slice(0, maxMessageChars)}…` : message;
    const key = `${place} ${text}`;
    if (this.#found.has(key)) return;
    if (this.#found.size >= maxWarnings || this.#chars + key.length > maxTotalChars) {
      this.#dropped += 1;
      return;
    }
    this.#chars += key.length;
    this.#found.set(key, { place, message: text });
  }

  get all(): Warning[] {
    const all = [...this.#found.values()];
    if (this.#dropped > 0) {
      all.push({ place: '', message: `Only the first ${all.length} warnings are listed.` });
    }
    return all;
  }
}

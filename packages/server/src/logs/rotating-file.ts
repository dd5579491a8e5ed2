import { closeSync, fstatSync, openSync, renameSync, rmSync, writeSync } from 'node:fs';

interface RotationOptions {
  maxBytes?: number;
  /** How many full files are kept beside the one being written. */
  keep?: number;
}

/**
 * A log file that is renamed to `.1` (and that to `.2`, …) when it is full. Lines are written at once, so that a crash loses none, and a
 * line that cannot be written (the disk is full) is dropped: logging never brings the server down.
 */
export class RotatingFile {
  readonly #path: string;
  readonly #maxBytes: number;
  readonly #keep: number;
  #descriptor: number;
  #size: number;

  constructor(path: string, { maxBytes = 10 * 1024 * 1024, keep = 4 }: RotationOptions = {}) {
    this.#path = path;
    this.#maxBytes = maxBytes;
    this.#keep = keep;
    this.#descriptor = openSync(path, 'a', 0o600);
    this.#size = fstatSync(this.#descriptor).size;
  }

  write(line: string): void {
    const bytes = Buffer.byteLength(line);
    if (this.#size > 0 && this.#size + bytes > this.#maxBytes) this.#rotate();
    try {
      writeSync(this.#descriptor, line);
      this.#size += bytes;
    } catch {
      // Nowhere is left to say so.
    }
  }

  close(): void {
    closeSync(this.#descriptor);
  }

  /** The old file is let go once the new one is open: where that cannot be had, the old one goes on being written. */
  #rotate(): void {
    try {
      rmSync(`${this.#path}.${this.#keep}`, { force: true });
      for (let number = this.#keep - 1; number >= 1; number--) {
        renameIfThere(`${this.#path}.${number}`, `${this.#path}.${number + 1}`);
      }
      renameIfThere(this.#path, `${this.#path}.1`);
      const next = openSync(this.#path, 'a', 0o600);
      closeSync(this.#descriptor);
      this.#descriptor = next;
      this.#size = 0;
    } catch {
      // Tried again with the next line.
    }
  }
}

function renameIfThere(from: string, to: string): void {
  try {
    renameSync(from, to);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
}

import { closeSync, fstatSync, renameSync, rmSync, writeSync } from 'node:fs';
import { openToAppend } from '@executor/home';

interface RotationOptions {
  maxBytes?: number;
  /** Number of full files to keep besides the current one. */
  keep?: number;
}

/**
 * A log file that is renamed to `.1` (and `.1` to `.2`, …) when it is full. Lines are written at once, so a crash loses none. A line that
 * cannot be written (the disk is full) is dropped, so that logging never stops the server.
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
    this.#descriptor = openToAppend(path);
    this.#size = fstatSync(this.#descriptor).size;
  }

  write(line: string): void {
    const bytes = Buffer.byteLength(line);
    if (this.#size > 0 && this.#size + bytes > this.#maxBytes) this.#rotate();
    try {
      writeSync(this.#descriptor, line);
      this.#size += bytes;
    } catch {
      // The error cannot be logged either.
    }
  }

  close(): void {
    closeSync(this.#descriptor);
  }

  /** The old file is closed after the new one is open. If opening fails, the old file stays in use. */
  #rotate(): void {
    try {
      rmSync(`${this.#path}.${this.#keep}`, { force: true });
      for (let number = this.#keep - 1; number >= 1; number--) {
        renameIfThere(`${this.#path}.${number}`, `${this.#path}.${number + 1}`);
      }
      renameIfThere(this.#path, `${this.#path}.1`);
      const next = openToAppend(this.#path);
      closeSync(this.#descriptor);
      this.#descriptor = next;
      this.#size = 0;
    } catch {
      // The next line tries again.
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

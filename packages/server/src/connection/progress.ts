import type { Socket } from 'node:net';

/** Whether the other side of a connection takes the bytes that are sent to it. */
export class Progress {
  readonly #socket: Socket;
  #taken = 0;
  #at: number;

  constructor(socket: Socket, now: number) {
    this.#socket = socket;
    this.#at = now;
  }

  /** How long the other side has taken nothing although something waits for it. Ask often: time counts from the first question. */
  stalledMs(now: number): number {
    const { bytesWritten, writableLength } = this.#socket;
    const taken = bytesWritten - writableLength;
    if (writableLength === 0 || taken !== this.#taken) this.#at = now;
    this.#taken = taken;
    return now - this.#at;
  }
}

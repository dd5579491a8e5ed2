import type { ServerResponse } from 'node:http';
import type { Hold } from '@executor/engine';

/**
 * What one request holds until its response was sent, or its caller has disconnected. Work goes on after a disconnect, so what it holds
 * is given back when the work has ended. Otherwise callers that disconnect could start any amount of work. So everything that a request
 * causes happens `during` its turn, from the search for its credential on.
 */
export class Turn {
  readonly #holds = new Set<Hold>();
  readonly #places = new Set<Hold>();
  #isOver = false;
  #isWaiting = false;
  #isClosed = false;
  #working = 0;

  /** Without a response (a request inside this process), the holder calls `end`. */
  constructor(outgoing: ServerResponse | undefined) {
    outgoing?.once('close', () => this.#close());
    if (outgoing?.destroyed) this.#close();
  }

  keep(hold: Hold): Hold {
    if (this.#isOver) hold.release();
    else this.#holds.add(hold);
    return hold;
  }

  /** Keeps the place of the request, which it gives back as soon as it only waits. */
  keepPlace(hold: Hold): Hold {
    if (this.#isOver || this.#isWaiting) hold.release();
    else this.#places.add(hold);
    return hold;
  }

  async during<Result>(work: () => Promise<Result>): Promise<Result> {
    this.#working += 1;
    try {
      return await work();
    } finally {
      this.#working -= 1;
      if (this.#isClosed) this.#close();
    }
  }

  /** The request only waits from now on, so that others get its place. What its body holds remains. */
  wait(): void {
    this.#isWaiting = true;
    releaseAll(this.#places);
  }

  end(): void {
    this.#isOver = true;
    releaseAll(this.#places);
    releaseAll(this.#holds);
  }

  #close(): void {
    this.#isClosed = true;
    if (this.#working === 0) this.end();
  }
}

function releaseAll(holds: Set<Hold>): void {
  for (const hold of holds) hold.release();
  holds.clear();
}

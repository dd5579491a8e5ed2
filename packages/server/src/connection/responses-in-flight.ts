import type { ServerResponse } from 'node:http';

/**
 * The responses of one connection that have not ended. A caller may send requests without waiting for responses. If the connection
 * closes, Node emits `close` only for the response whose turn it is. The others get it here, because whoever serves a request gives back
 * at that event what the request holds.
 */
export class ResponsesInFlight {
  readonly #responses = new Set<ServerResponse>();

  get size(): number {
    return this.#responses.size;
  }

  add(response: ServerResponse, onEnd: () => void): void {
    this.#responses.add(response);
    response.once('close', () => {
      this.#responses.delete(response);
      onEnd();
    });
  }

  /** The connection has closed. */
  abandon(): void {
    for (const response of this.#responses) abandonResponse(response);
  }
}

/** Ends a response that will never be sent. */
export function abandonResponse(response: ServerResponse): void {
  if (response.socket !== null || response.writableFinished) return;
  response.destroy();
  response.emit('close');
}

import type { ServerResponse } from 'node:http';

export interface DisconnectSignal {
  signal: AbortSignal;
  /** Aborts the signal as if the caller had disconnected. */
  disconnect(): void;
}

/**
 * Aborts when the caller disconnects or the server stops, whichever is first. `AbortSignal.any` would leave a listener on the server's
 * signal for every request ever made.
 */
export function disconnectSignal(
  outgoing: ServerResponse,
  stopping: AbortSignal,
  onDisconnect: () => void = () => {},
): DisconnectSignal {
  const controller = new AbortController();
  controller.signal.addEventListener('abort', onDisconnect);
  const disconnect = () => {
    stopping.removeEventListener('abort', disconnect);
    outgoing.off('close', disconnect);
    controller.abort(outgoing.writableFinished ? answered : gone);
  };
  stopping.addEventListener('abort', disconnect);
  outgoing.once('close', disconnect);
  if (stopping.aborted || outgoing.destroyed) disconnect();
  return { signal: controller.signal, disconnect };
}

/** The abort reason after the complete response was sent. */
export const answered = new Error('The response was sent.');

/** Shared, because creating an error for each request would cost more than the rest of this function. */
const gone = new Error('The caller disconnected, or the server is stopping.');

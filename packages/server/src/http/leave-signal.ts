import type { ServerResponse } from 'node:http';

export interface LeaveSignal {
  signal: AbortSignal;
  /** Ends it, as if the caller had gone. */
  leave(): void;
}

/**
 * Aborts when the caller has gone or the server stops, whichever comes first. By hand and not by `AbortSignal.any`: the signal of the
 * server lives as long as the server, and must not gather a listener of every request there ever was.
 */
export function leaveSignal(
  outgoing: ServerResponse,
  stopping: AbortSignal,
  onLeave: () => void = () => {},
): LeaveSignal {
  const controller = new AbortController();
  controller.signal.addEventListener('abort', onLeave);
  const leave = () => {
    stopping.removeEventListener('abort', leave);
    outgoing.off('close', leave);
    controller.abort(outgoing.writableFinished ? answered : gone);
  };
  stopping.addEventListener('abort', leave);
  outgoing.once('close', leave);
  if (stopping.aborted || outgoing.destroyed) leave();
  return { signal: controller.signal, leave };
}

/** Why the signal of a caller aborts that has all of its answer. */
export const answered = new Error('The answer was sent.');

/** One for all: making an error for each request would cost more than the rest of this. */
const gone = new Error('The caller has gone, or the server stops.');

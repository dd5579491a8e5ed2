import type { ToLane } from './messages.ts';

/** One message to a lane, which it is busy with until it answers. */
export interface Turn {
  message: ToLane;
  body?: string | Uint8Array;
  /** CPU after which the lane must have stopped by itself; undefined for turns that run no code. */
  cpuMs?: number;
  /** Rebuilding is not the code's doing: it makes nobody wait elsewhere. */
  replay?: boolean;
}

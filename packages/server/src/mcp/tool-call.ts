import type { Engine } from '@executor/engine';
import type { Principal } from '@executor/protocol';
import type { ServerContext } from '@modelcontextprotocol/server';
import type { Logger } from 'pino';
import type { Places } from '../http/places.ts';
import type { ClientDialogs } from './client-dialogs.ts';
import type { OpenCalls } from './open-calls.ts';
import type { OpenDialogs } from './open-dialogs.ts';

export interface McpParts {
  engine: Engine;
  version: string;
  logger: Logger;
  /** Those who wait for a run, each of whom holds a connection. */
  waits: Places;
  openCalls: OpenCalls;
  openDialogs: OpenDialogs;
  /** Aborted when the server stops. */
  stopping: AbortSignal;
  /** Signs what clients carry. */
  stateKey(): Promise<string>;
}

/** One request and whoever made it. */
export interface Exchange {
  /** An agent, always. */
  principal: Principal;
  ownerId: string;
  sessionId: string;
  /** Whether the client introduces itself, and is told how to work here. */
  isFirst: boolean;
  /** Aborted when the client has gone or the server stops; that cancels no run. */
  left: AbortSignal;
}

/** One call of a tool, in either era of the protocol. */
export interface ToolCall {
  parts: McpParts;
  exchange: Exchange;
  context: ServerContext;
  clientName: string | undefined;
  dialogs: ClientDialogs;
  /** Sends a message on the stream of this call's answer; only the session era has that. */
  send?: ((message: StreamMessage) => Promise<void>) | undefined;
}

type StreamMessage = { method: string; params: Record<string, unknown>; id?: string };

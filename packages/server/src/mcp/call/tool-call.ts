import type { Account, Engine } from '@executor/engine';
import type { Principal } from '@executor/protocol';
import type { RequestId, ServerContext } from '@modelcontextprotocol/server';
import type { Logger } from 'pino';
import type { Turn } from '../../http/admission/turn.ts';
import type { ClientDialogs } from '../dialog/client-dialogs.ts';
import type { OpenDialogs } from '../dialog/open-dialogs.ts';
import type { CallDelivery, Recipient } from './call-delivery.ts';
import type { LeavingCalls } from './leaving-calls.ts';
import type { OpenCalls } from './open-calls.ts';

export interface McpParts {
  engine: Engine;
  version: string;
  logger: Logger;
  openCalls: OpenCalls;
  leavingCalls: LeavingCalls;
  openDialogs: OpenDialogs;
  /** Aborted when the server stops. */
  stopping: AbortSignal;
  /** The key that signs the state that clients carry. */
  stateKey(): Promise<string>;
}

/** One request and its caller. */
export interface Exchange extends Recipient {
  /** Always an agent. */
  principal: Principal;
  ownerId: string;
  account: Account;
  /** What the request holds. A call that waits gives it back. */
  turn: Turn;
  sessionId: string;
  /** The requests of this POST. */
  requestIds: RequestId[];
  /** Whether this is the client's first request, whose answer holds the instructions. */
  isFirst: boolean;
  /** Aborted when the client disconnects or the server stops. This cancels no run. */
  left: AbortSignal;
}

/** One call of a tool, in any protocol version. */
export interface ToolCall {
  parts: McpParts;
  exchange: Exchange;
  context: ServerContext;
  /** Aborted when the client disconnects or cancels the call, or the server stops. This cancels no run. */
  left: AbortSignal;
  delivery: CallDelivery;
  clientName: string | undefined;
  dialogs: ClientDialogs;
  /** Whether the client accepts a task as the answer to a long call. */
  takesTasks: boolean;
  /** Sends a message on the response stream of this call. Only in the session era. */
  send?: ((message: StreamMessage) => Promise<void>) | undefined;
}

type StreamMessage = { method: string; params: Record<string, unknown>; id?: string };

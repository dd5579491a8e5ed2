import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { printable, toExecutorError } from '@executor/protocol';
import { serverAwayMs } from '../server-away.ts';
import type { Access, AgentServer } from './agent-server.ts';
import { type ClientLine, headersOf, isId, type Message, type MessageId, readLine } from './client-line.ts';
import { type Posted, post } from './post.ts';

interface BridgeOptions {
  server: Pick<AgentServer, 'access' | 'lost' | 'refused'>;
  /** Receives one message for the client. */
  write(message: unknown): void;
  patienceMs?: number;
}

/** The responses that the server still owes, and its questions to the client. */
interface Expected {
  missing: Set<MessageId>;
  asked: Set<MessageId>;
}

/** The error codes of JSON-RPC. */
const parseError = -32_700;
const invalidRequest = -32_600;
const internalError = -32_603;

/**
 * Sends each message of one client to the server's /mcp as one request, and returns the responses. It does not interpret messages, except:
 * every request gets exactly one response, even if the server restarts; a request may be repeated, because a run is found by its key; and
 * a cancelled request is neither repeated nor answered.
 */
export class Bridge {
  readonly #options: Required<BridgeOptions>;
  readonly #left = new AbortController();
  readonly #open = new Map<MessageId, { isCancelled: boolean }>();
  readonly #carried = new Set<Promise<void>>();
  #sessionId: string = randomUUID();
  #protocolVersion: string | undefined;

  constructor({ patienceMs = serverAwayMs, ...options }: BridgeOptions) {
    this.#options = { patienceMs, ...options };
  }

  /** Receives a line of the client. */
  take(text: string): void {
    if (text.trim() === '') return;
    const carried = this.#carry(text).finally(() => this.#carried.delete(carried));
    this.#carried.add(carried);
  }

  /** Resolves when all received requests are answered. */
  async settled(): Promise<void> {
    await Promise.all(this.#carried);
  }

  /** Ends the bridge: the client has disconnected or the timeout is over. Open requests fail. Runs continue. */
  leave(): void {
    for (const id of this.#open.keys())
      this.#fail(id, internalError, 'The request was not answered before the input ended.');
    this.#left.abort();
  }

  async #carry(text: string): Promise<void> {
    let line: ClientLine;
    try {
      line = readLine(text);
    } catch {
      return this.#fail(null, parseError, 'This line is not JSON.');
    }
    for (let left = line.invalidCount; left > 0; left--)
      this.#fail(null, invalidRequest, 'This is not a JSON-RPC message.');
    if (line.messages.length === 0) return;
    for (const { method, params } of line.messages) {
      if (method === 'notifications/cancelled') this.#cancel(params?.requestId);
    }
    const missing = new Set(line.ids);
    for (const id of missing) this.#open.set(id, { isCancelled: false });
    try {
      await this.#deliver(line, missing);
    } catch (thrown) {
      if (this.#left.signal.aborted) return;
      for (const id of missing) this.#fail(id, internalError, toExecutorError(thrown).message);
    } finally {
      for (const id of missing) this.#open.delete(id);
    }
  }

  async #deliver(line: ClientLine, missing: Set<MessageId>): Promise<void> {
    const { server, patienceMs } = this.#options;
    const deadline = Date.now() + patienceMs;
    const asked = new Set<MessageId>();
    for (let renewed = false; ; ) {
      const access = await server.access();
      const posted = await this.#post(access, line, { missing, asked });
      if (this.#isDone(line, missing, posted)) return;
      this.#withdraw(asked);
      if (posted.type === 'refused' && posted.status === 401 && !renewed && server.refused(access)) {
        renewed = true;
        continue;
      }
      if (posted.type === 'refused' || Date.now() > deadline) {
        this.#giveUp(missing, posted);
        return;
      }
      await sleep(posted.type === 'away' ? posted.retryMs : 200, undefined, { signal: this.#left.signal });
      server.lost(access);
    }
  }

  #isDone({ ids }: ClientLine, missing: Set<MessageId>, posted: Posted): boolean {
    if (ids.length === 0) return posted.type === 'answered';
    return [...missing].every((id) => this.#open.get(id)?.isCancelled);
  }

  /** Cancels questions of a broken stream, because the server asks them again when the request is repeated. */
  #withdraw(asked: Set<MessageId>): void {
    for (const requestId of asked) {
      const params = { requestId, reason: 'The connection was lost. The server asks again.' };
      this.#options.write({ jsonrpc: '2.0', method: 'notifications/cancelled', params });
    }
    asked.clear();
  }

  async #post(access: Access, line: ClientLine, { missing, asked }: Expected): Promise<Posted> {
    const version = this.#protocolVersion;
    const posted = await post(access, {
      body: line.body,
      headers: {
        'mcp-session-id': this.#sessionId,
        ...(version !== undefined && { 'mcp-protocol-version': version }),
        ...headersOf(line),
      },
      signal: this.#left.signal,
      onMessage: (message) => {
        if (typeof message.method === 'string' && isId(message.id)) asked.add(message.id);
        this.#answer(message, missing);
      },
    });
    if (posted.type === 'answered' && posted.sessionId !== null) this.#sessionId = posted.sessionId;
    return posted;
  }

  #answer(message: Message, missing: Set<MessageId>): void {
    if (typeof message.method === 'string') {
      this.#options.write(message);
      return;
    }
    if (typeof message.result?.protocolVersion === 'string') {
      this.#protocolVersion = message.result.protocolVersion;
    }
    // A response to an unreadable message has no id. The bridge knows which request it belongs to.
    for (const id of message.id === null ? [...missing] : [message.id]) {
      if (isId(id) && missing.delete(id) && this.#close(id)) this.#options.write({ ...message, id });
    }
  }

  /** Marks a request as answered. Returns whether it was open. */
  #close(id: MessageId): boolean {
    const open = this.#open.get(id);
    this.#open.delete(id);
    return open !== undefined && !open.isCancelled;
  }

  #cancel(id: unknown): void {
    const open = isId(id) ? this.#open.get(id) : undefined;
    if (open) open.isCancelled = true;
  }

  #giveUp(missing: Set<MessageId>, posted: Posted): void {
    const why = posted.type === 'answered' ? 'The response of the server was lost.' : posted.message;
    for (const id of missing) this.#fail(id, internalError, why);
  }

  #fail(id: MessageId | null, code: number, message: string): void {
    if (id !== null && !this.#close(id)) return;
    this.#options.write({ jsonrpc: '2.0', id, error: { code, message: printable(message) } });
  }
}

import type { Client, McpSubscription, Transport } from '@modelcontextprotocol/client';
import { type CallScope, currentScope } from './call-scope.ts';
import type { HttpFailure } from './http-fetch.ts';

/** How a server was reached, so that the next connection need not find out. */
export interface Route {
  transport: 'http' | 'sse' | 'stdio';
  /** Servers with sessions, before 2026-07-28, or stateless ones. */
  era: 'legacy' | 'modern';
}

/**
 * A connection to a server that calls share. It is closed when it was retired and its last call has ended. `isOver` means that new calls
 * need another one.
 */
export class Session {
  readonly client: Client;
  readonly route: Route;
  readonly #transport: Transport;
  readonly #scopes = new Set<CallScope>();
  readonly #onIdle: (session: Session) => void;
  #retired = false;
  #closed: Promise<void> | undefined;
  isOver = false;
  /** The HTTP status or the network error that ended a request outside of calls. */
  failure: HttpFailure | undefined;
  subscription: McpSubscription | undefined;

  constructor(options: {
    client: Client;
    transport: Transport;
    route: Route;
    onIdle(session: Session): void;
  }) {
    this.client = options.client;
    this.route = options.route;
    this.#transport = options.transport;
    this.#onIdle = options.onIdle;
  }

  get isIdle(): boolean {
    return this.#scopes.size === 0;
  }

  /**
   * The request that a message of the server belongs to. Over stdio and SSE, and for servers that ask on a stream of their own, it is not
   * known which one it is. Then it is the latest one, if all are of one run: nobody may see the questions of another run.
   */
  scopeOfMessage(): CallScope | undefined {
    const scope = currentScope();
    if (scope) return scope;
    const scopes = [...this.#scopes];
    const runs = new Set(scopes.map(({ invocation }) => invocation?.call.executionId));
    return runs.size === 1 ? scopes.at(-1) : undefined;
  }

  enter(scope: CallScope): void {
    this.#scopes.add(scope);
  }

  leave(scope: CallScope): void {
    this.#scopes.delete(scope);
    if (!this.isIdle) return;
    if (this.#retired) void this.close();
    else this.#onIdle(this);
  }

  /** Ends all requests in flight. */
  fail(error: Error): void {
    for (const scope of this.#scopes) scope.fail(error);
  }

  /** Calls in flight may finish. */
  retire(): void {
    this.isOver = true;
    this.#retired = true;
    if (this.isIdle) void this.close();
  }

  close(): Promise<void> {
    this.isOver = true;
    this.#closed ??= this.#close();
    return this.#closed;
  }

  async #close(): Promise<void> {
    // A server may not answer. The connection is closed in any case.
    const { terminateSession } = this.#transport as { terminateSession?(): Promise<void> };
    await Promise.race([
      Promise.allSettled([this.subscription?.close(), terminateSession?.call(this.#transport)]),
      new Promise((resolve) => setTimeout(resolve, goodbyeMs).unref()),
    ]);
    await this.client.close().catch(() => {});
  }
}

const goodbyeMs = 1_000;

import { randomUUID } from 'node:crypto';
import type { RateLimit } from '@executor/engine';
import type { Context, MiddlewareHandler } from 'hono';
import type { Logger } from 'pino';
import { knownAccountOf } from './admission/request-admission.ts';

const maxPathLength = 200;
const summaryMs = 60_000;

/**
 * Gives each request an id and logs one line. The log holds only method and path, because headers, query and body may hold secrets.
 *
 * Old log files are deleted, so nobody may fill the log: agents, and all requests without a valid credential together, have a rate of
 * lines. Requests over it are counted, and their number is logged.
 */
export class RequestLog {
  readonly #logger: Logger;
  readonly #rate: RateLimit;
  readonly #summaryMs: number;
  #omitted = { unauthenticated: 0, agents: 0 };
  #summary: NodeJS.Timeout | undefined;

  constructor(logger: Logger, rate: RateLimit, summaryAfterMs = summaryMs) {
    this.#logger = logger;
    this.#rate = rate;
    this.#summaryMs = summaryAfterMs;
  }

  readonly middleware: MiddlewareHandler = async (http, next) => {
    const header = http.req.header('x-request-id');
    const requestId = header !== undefined && /^[\w.-]{1,64}$/.test(header) ? header : randomUUID();
    http.set('requestId', requestId);
    http.header('x-request-id', requestId);
    const startedAt = performance.now();
    await next();
    const { method, path } = http.req;
    const status = http.res.status;
    // Monitors request health every few seconds, which would fill the log.
    const level = status >= 500 ? 'error' : path === '/v1/health' ? 'debug' : 'info';
    if (!this.#logger.isLevelEnabled(level) || !this.#hasRoom(http)) return;
    const ms = Math.round((performance.now() - startedAt) * 10) / 10;
    const shown = path.length > maxPathLength ? `${path.slice(0, maxPathLength)}…` : path;
    this.#logger[level]({ requestId, method, path: shown, status, ms }, 'request');
  };

  failed(http: Context, error: unknown): void {
    if (this.#hasRoom(http))
      this.#logger.error({ requestId: requestIdOf(http), err: error }, 'request failed');
  }

  #hasRoom(http: Context): boolean {
    const account = knownAccountOf(http);
    if (account?.kind === 'person') return true;
    if (this.#rate.take(account?.key ?? 'unauthenticated', 1) === undefined) return true;
    this.#omitted[account ? 'agents' : 'unauthenticated'] += 1;
    this.#summary ??= setTimeout(() => this.#summarize(), this.#summaryMs).unref();
    return false;
  }

  #summarize(): void {
    this.#summary = undefined;
    this.#logger.warn(this.#omitted, 'more requests than the log has room for; they are only counted');
    this.#omitted = { unauthenticated: 0, agents: 0 };
  }
}

export function requestIdOf(http: Context): string {
  return http.get('requestId');
}

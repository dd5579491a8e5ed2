import { randomUUID } from 'node:crypto';
import type { Context, MiddlewareHandler } from 'hono';
import type { Logger } from 'pino';

/**
 * Gives each request an id and logs one line. The log holds only method and path, because headers, query and body may hold secrets.
 */
export function logRequests(logger: Logger): MiddlewareHandler {
  return async (http, next) => {
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
    if (!logger.isLevelEnabled(level)) return;
    const ms = Math.round((performance.now() - startedAt) * 10) / 10;
    logger[level]({ requestId, method, path, status, ms }, 'request');
  };
}

export function requestIdOf(http: Context): string {
  return http.get('requestId');
}

import { randomUUID } from 'node:crypto';
import type { Context, MiddlewareHandler } from 'hono';
import type { Logger } from 'pino';

/**
 * Gives each request an id and writes one line about it. Of the request only method and path are written: headers, query and body may
 * hold secrets.
 */
export function logRequests(logger: Logger): MiddlewareHandler {
  return async (http, next) => {
    const given = http.req.header('x-request-id');
    const requestId = given !== undefined && /^[\w.-]{1,64}$/.test(given) ? given : randomUUID();
    http.set('requestId', requestId);
    http.header('x-request-id', requestId);
    const startedAt = performance.now();
    await next();
    const { method, path } = http.req;
    const status = http.res.status;
    // Monitors ask for health every few seconds: that would be most of the log.
    const level = status >= 500 ? 'error' : path === '/v1/health' ? 'debug' : 'info';
    if (!logger.isLevelEnabled(level)) return;
    const ms = Math.round((performance.now() - startedAt) * 10) / 10;
    logger[level]({ requestId, method, path, status, ms }, 'request');
  };
}

export function requestIdOf(http: Context): string {
  return http.get('requestId');
}

import { ExecutorError, toErrorBody } from '@executor/protocol';
import type { Context } from 'hono';
import type { ContentfulStatusCode } from 'hono/utils/http-status';

/** The error that a caller may see. Callers do not learn where the database is. */
export function outwardError(error: ExecutorError): ExecutorError {
  return error.code === 'databaseUnavailable' ? databaseAway : error;
}

const databaseAway = new ExecutorError(
  'databaseUnavailable',
  'The database of this server does not answer. Executor retries every second. For details, run `executor doctor` or `executor logs` on the server.',
);

/** Sends an error with its headers. */
export function respondError(http: Context, error: ExecutorError): Response {
  const challenge = http.get('challenge') ?? (error.code === 'unauthenticated' && defaultChallenge(http));
  if (challenge) http.header('www-authenticate', challenge);
  const { retryAfterSeconds } = error.details ?? {};
  if (typeof retryAfterSeconds === 'number') http.header('retry-after', String(retryAfterSeconds));
  if (error.code === 'methodNotAllowed') http.header('allow', [error.details?.allow].flat().join(', '));
  if (closesConnection(error) || hasUnreadBody(http)) http.header('connection', 'close');
  return http.json(toErrorBody(error), ExecutorError.httpStatus(error.code) as ContentfulStatusCode);
}

/** Replaces the default `www-authenticate` header. */
export function challengeWith(http: Context, challenge: string): void {
  http.set('challenge', challenge);
}

/** The challenge says `invalid_token` if the caller sent a credential. */
function defaultChallenge({ req }: Context): string {
  const hasCredential = req.header('authorization') !== undefined || req.header('x-api-key') !== undefined;
  return `Bearer realm="executor"${hasCredential ? ', error="invalid_token"' : ''}`;
}

/** The rest of the body was not read, or the caller has too many connections. */
function closesConnection({ code, details }: ExecutorError): boolean {
  const isOneTooMany = details?.resource === 'requestBytes' || details?.resource === 'connections';
  return code === 'payloadTooLarge' || (code === 'tooManyRequests' && isOneTooMany);
}

/** An unread body would block the next request on the connection. */
function hasUnreadBody({ req }: Context): boolean {
  const sent = Number(req.header('content-length') ?? 0) > 0 || req.header('transfer-encoding') !== undefined;
  return sent && !req.raw.bodyUsed;
}

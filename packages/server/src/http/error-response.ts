import { ExecutorError, toErrorBody } from '@executor/protocol';
import type { Context } from 'hono';
import type { ContentfulStatusCode } from 'hono/utils/http-status';

/** What may be told of an error: whoever asks is not told where the database is. */
export function outwardError(error: ExecutorError): ExecutorError {
  return error.code === 'databaseUnavailable' ? databaseAway : error;
}

const databaseAway = new ExecutorError(
  'databaseUnavailable',
  'The database of this server does not answer. It is asked again every second; `executor doctor` and `executor logs` on that machine say more.',
);

/** An error as the answer to a request, with the headers that belong to it. */
export function respondError(http: Context, error: ExecutorError): Response {
  const challenge = http.get('challenge') ?? (error.code === 'unauthenticated' && usualChallenge(http));
  if (challenge) http.header('www-authenticate', challenge);
  if (error.code === 'methodNotAllowed') http.header('allow', [error.details?.allow].flat().join(', '));
  if (error.code === 'payloadTooLarge' || hasUnreadBody(http)) http.header('connection', 'close');
  return http.json(toErrorBody(error), ExecutorError.httpStatus(error.code) as ContentfulStatusCode);
}

/** Says in other words than the usual ones how to be let in. */
export function challengeWith(http: Context, challenge: string): void {
  http.set('challenge', challenge);
}

/** Whoever sent a key learns that it is the key that is wrong. */
function usualChallenge({ req }: Context): string {
  const isGiven = req.header('authorization') !== undefined || req.header('x-api-key') !== undefined;
  return `Bearer realm="executor"${isGiven ? ', error="invalid_token"' : ''}`;
}

/** The rest of a body that nobody will read stands in the way of the next request on that connection. */
function hasUnreadBody({ req }: Context): boolean {
  const sent = Number(req.header('content-length') ?? 0) > 0 || req.header('transfer-encoding') !== undefined;
  return sent && !req.raw.bodyUsed;
}

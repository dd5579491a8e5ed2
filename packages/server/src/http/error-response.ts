import { ExecutorError, toErrorBody } from '@executor/protocol';
import type { Context } from 'hono';
import type { ContentfulStatusCode } from 'hono/utils/http-status';

/** An error as the answer to a request, with the headers that belong to it. */
export function respondError(http: Context, error: ExecutorError): Response {
  if (error.code === 'unauthenticated') http.header('www-authenticate', 'Bearer realm="executor"');
  if (error.code === 'methodNotAllowed') http.header('allow', [error.details?.allow].flat().join(', '));
  if (error.code === 'payloadTooLarge' || hasUnreadBody(http)) http.header('connection', 'close');
  return http.json(toErrorBody(error), ExecutorError.httpStatus(error.code) as ContentfulStatusCode);
}

/** The rest of a body that nobody will read stands in the way of the next request on that connection. */
function hasUnreadBody({ req }: Context): boolean {
  const sent = Number(req.header('content-length') ?? 0) > 0 || req.header('transfer-encoding') !== undefined;
  return sent && !req.raw.bodyUsed;
}

import { ExecutorError, type ProvenRequest, proofHeader, readProof } from '@executor/protocol';
import type { Context } from 'hono';

/** What a page signs: the method and the path with the query, as the browser sent them. */
export function provenRequest({ req }: Context): ProvenRequest {
  const { pathname, search } = new URL(req.url);
  return { method: req.method, target: pathname + search };
}

/** Rejects a body that differs from the one that the page signed. The signature itself was checked before the body was read. */
export async function requireSignedBody({ req }: Context, body: Uint8Array<ArrayBuffer>): Promise<void> {
  const proof = readProof(req.header(proofHeader) ?? '');
  if (proof === undefined) return;
  // Off this thread, because a body can be large.
  const hash = Buffer.from(await crypto.subtle.digest('SHA-256', body)).toString('base64url');
  if (hash === proof.bodyHash) return;
  throw new ExecutorError(
    'invalidRequest',
    'The body of this request is not the one that the page signed. Reload the page and try again.',
  );
}

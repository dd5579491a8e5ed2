/**
 * The proof that a request was made by the page of a browser session. The page signs each request with its key, which never leaves the
 * browser (ECDSA P-256 with SHA-256). The scheme follows DPoP (RFC 9449), but also covers the query and the body:
 *
 * - `nonces` are values that server processes have published. A process accepts only requests with a current nonce of its own, so a request
 *   that another program received is worth nothing. Several processes of an installation can serve one page, so it sends all that it knows.
 * - `id` is random. A process accepts it once, so nobody can repeat a request.
 * - `bodyHash` is the SHA-256 hash of the exact bytes of the body.
 */
export interface RequestProof {
  nonces: string[];
  id: string;
  bodyHash: string;
  signature: string;
}

/** The header with the proof of a request. */
export const proofHeader = 'x-executor-proof';

/** The response header with the current nonce of the server process. */
export const nonceHeader = 'x-executor-nonce';

/** More than the processes of an installation that serve one page at the same time. */
export const maxNonces = 8;

/** What a request asks for. `target` is the path with the query. */
export interface ProvenRequest {
  method: string;
  target: string;
}

/** The text that is signed. */
export function proofMessage(
  { method, target }: ProvenRequest,
  { nonces, id, bodyHash }: Omit<RequestProof, 'signature'>,
): string {
  return ['executor-request-1', method, target, nonces.join(','), id, bodyHash].join('\n');
}

export function writeProof({ nonces, id, bodyHash, signature }: RequestProof): string {
  return [nonces.join(','), id, bodyHash, signature].join(';');
}

/** Undefined if the text is not a proof. */
export function readProof(text: string): RequestProof | undefined {
  const match = form.exec(text);
  if (match === null) return undefined;
  const [, nonces = '', id = '', bodyHash = '', signature = ''] = match;
  return { nonces: nonces === '' ? [] : nonces.split(','), id, bodyHash, signature };
}

/** Base64url without padding: 128 random bits, a hash of 256 bits, and a signature of 512 bits. */
const form = new RegExp(
  `^((?:[\\w-]{22}(?:,[\\w-]{22}){0,${maxNonces - 1}})?);([\\w-]{22});([\\w-]{43});([\\w-]{86})$`,
);

import { type ProvenRequest, proofHeader, proofMessage, writeProof } from '@executor/protocol';
import { KnownNonces } from './known-nonces.ts';

interface UnsignedRequest extends ProvenRequest {
  body: string | undefined;
}

interface SignedRequest {
  headers: Record<string, string>;
  /** Keeps the nonce of the response. Returns whether the request did not have it, so that it can be signed again. */
  learnFrom(response: { headers: Pick<Headers, 'get'> }): boolean;
}

/** Signs requests with the key of a session. See `RequestProof` of the protocol. */
export class RequestSigner {
  readonly #key: Promise<CryptoKey>;
  readonly #nonces: KnownNonces;

  constructor(key: CryptoKey | Promise<CryptoKey>, nonces = new KnownNonces()) {
    this.#key = Promise.resolve(key);
    this.#nonces = nonces;
    // Reported by the first request.
    this.#key.catch(() => {});
  }

  /** Makes a new proof for each call, because a server accepts one only once. */
  async sign({ method, target, body = '' }: UnsignedRequest): Promise<SignedRequest> {
    const key = await this.#key;
    const unsigned = {
      nonces: [...(await this.#nonces.list())],
      id: base64url(crypto.getRandomValues(new Uint8Array(16))),
      bodyHash: base64url(await crypto.subtle.digest('SHA-256', encoder.encode(body))),
    };
    const message = encoder.encode(proofMessage({ method, target }, unsigned));
    const signature = base64url(await crypto.subtle.sign(algorithm, key, message));
    return {
      headers: { [proofHeader]: writeProof({ ...unsigned, signature }) },
      learnFrom: (response) => {
        const nonce = this.#nonces.learnFrom(response);
        return nonce !== undefined && !unsigned.nonces.includes(nonce);
      },
    };
  }
}

const algorithm = { name: 'ECDSA', hash: 'SHA-256' };
const encoder = new TextEncoder();

function base64url(bytes: ArrayBuffer | Uint8Array): string {
  const text = String.fromCharCode(...new Uint8Array(bytes));
  return btoa(text).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

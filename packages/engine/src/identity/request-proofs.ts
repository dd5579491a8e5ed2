import { createPublicKey, randomBytes, verify } from 'node:crypto';
import {
  ExecutorError,
  type ProvenRequest,
  proofMessage,
  type RequestProof,
  type SessionKey,
} from '@executor/protocol';

/** A request with the proof that the holder of a key made it. */
export interface SignedRequest extends ProvenRequest {
  proof: RequestProof;
}

export interface RequestProofsOptions {
  /** A monotonic clock. */
  monotonicMs?: () => number;
  maxAgeMs?: number;
  maxRequests?: number;
}

/** A nonce and the ids of the requests that were accepted with it. */
interface Epoch {
  nonce: string;
  startedAt: number;
  ids: Set<string>;
}

/**
 * Checks the proofs of requests (see `RequestProof`). The nonces are of this process only, so nothing that was signed for another process
 * is accepted here. A nonce is replaced after some minutes or requests, and the previous one is accepted as long again. So the ids of all
 * requests that could be repeated fit into memory.
 */
export class RequestProofs {
  readonly #options: Required<RequestProofsOptions>;
  #current: Epoch;
  #previous: Epoch | undefined;

  constructor({
    monotonicMs = () => performance.now(),
    maxAgeMs = 10 * 60_000,
    maxRequests = 20_000,
  }: RequestProofsOptions = {}) {
    this.#options = { monotonicMs, maxAgeMs, maxRequests };
    this.#current = this.#newEpoch();
  }

  /** The nonce for the next request. */
  get nonce(): string {
    this.#renew();
    return this.#current.nonce;
  }

  /** Whether the holder of the key signed this request, which is accepted once. Throws `nonceRequired` if it has no nonce of this process. */
  accept(key: SessionKey, request: SignedRequest): boolean {
    const epoch = this.#epochOf(request);
    if (!isSignedBy(key, request)) return false;
    const { id } = request.proof;
    if (this.#current.ids.has(id) || this.#previous?.ids.has(id)) throw repeated();
    epoch.ids.add(id);
    return true;
  }

  /** Like `accept`, for a request that has an effect only once anyway. So callers without a session take no memory. */
  isSigned(key: SessionKey, request: SignedRequest): boolean {
    this.#epochOf(request);
    return isSignedBy(key, request);
  }

  #epochOf({ proof }: SignedRequest): Epoch {
    this.#renew();
    const epochs = [this.#current, this.#previous];
    const epoch = epochs.find((candidate) => candidate && proof.nonces.includes(candidate.nonce));
    if (epoch) return epoch;
    throw nonceRequired();
  }

  #renew(): void {
    const { monotonicMs, maxAgeMs, maxRequests } = this.#options;
    const age = monotonicMs() - this.#current.startedAt;
    if (age < maxAgeMs && this.#current.ids.size < maxRequests) return;
    this.#previous = age < 2 * maxAgeMs ? this.#current : undefined;
    this.#current = this.#newEpoch();
  }

  #newEpoch(): Epoch {
    const nonce = randomBytes(16).toString('base64url');
    return { nonce, startedAt: this.#options.monotonicMs(), ids: new Set() };
  }
}

function isSignedBy(jwk: SessionKey, { proof, ...request }: SignedRequest): boolean {
  try {
    const key = createPublicKey({ key: { ...jwk }, format: 'jwk' });
    const signature = Buffer.from(proof.signature, 'base64url');
    return verify(
      'sha256',
      Buffer.from(proofMessage(request, proof)),
      { key, dsaEncoding: 'ieee-p1363' },
      signature,
    );
  } catch {
    // The coordinates are not a point of the curve.
    return false;
  }
}

function nonceRequired(): ExecutorError {
  return new ExecutorError(
    'nonceRequired',
    'The signature of this request has no current nonce of this server process. Sign it again with the nonce in the header x-executor-nonce.',
  );
}

function repeated(): ExecutorError {
  return new ExecutorError(
    'conflict',
    'This request has arrived before, so it was not repeated. Reload the page to see its effect.',
  );
}

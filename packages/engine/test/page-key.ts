import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import { proofMessage, type SessionKey } from '@executor/protocol';
import type { Engine } from '../src/engine.ts';
import type { SignedRequest } from '../src/identity/request-proofs.ts';
import type { OpenedSession } from '../src/identity/sessions.ts';

/** The key of a page, which signs requests. */
export class PageKey {
  readonly publicKey: SessionKey;
  readonly #privateKey;

  constructor() {
    const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    this.publicKey = publicKey.export({ format: 'jwk' }) as SessionKey;
    this.#privateKey = privateKey;
  }

  sign(nonces: string[], { method = 'GET', target = '/v1/me', body = '' } = {}): SignedRequest {
    const unsigned = {
      nonces,
      id: randomBytes(16).toString('base64url'),
      bodyHash: createHash('sha256').update(body).digest('base64url'),
    };
    const message = Buffer.from(proofMessage({ method, target }, unsigned));
    const key = { key: this.#privateKey, dsaEncoding: 'ieee-p1363' } as const;
    return {
      method,
      target,
      proof: { ...unsigned, signature: sign('sha256', message, key).toString('base64url') },
    };
  }

  open(engine: Engine, code: string): Promise<OpenedSession> {
    const { publicKey } = this;
    const signed = this.sign([engine.requestProofs.nonce]);
    return engine.sessions.open({ code, publicKey, signed, userAgent: 'A test' });
  }
}

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose';

interface Signing {
  /** Claims that replace the default ones. Undefined removes a claim. */
  claims?: JWTPayload;
  header?: Record<string, unknown>;
  key?: Pair;
}

export type Pair = Awaited<ReturnType<typeof newPair>>;

export async function newPair(kid: string) {
  const { publicKey, privateKey } = await generateKeyPair('ES256', { extractable: true });
  const about = { kid, alg: 'ES256', use: 'sig' };
  return {
    kid,
    publicKey,
    privateKey,
    jwk: { ...(await exportJWK(publicKey)), ...about },
    privateJwk: { ...(await exportJWK(privateKey)), ...about },
  };
}

/** An authorization server whose metadata, availability and tokens a test controls. */
export async function startIssuer() {
  const state = {
    keys: [await newPair('one')],
    isAway: false,
    /** Additional metadata. */
    metadata: {} as Record<string, unknown>,
    /** The target of the redirect at /moved. */
    redirect: '',
    /** Handles every path. */
    page: '',
    requests: [] as string[],
  };
  const server = createServer((request, response) => {
    state.requests.push(request.url ?? '');
    if (request.url === '/moved') return void response.writeHead(302, { location: state.redirect }).end();
    if (state.isAway) return void response.writeHead(503).end();
    if (state.page) return void response.writeHead(200, { 'content-type': 'text/html' }).end(state.page);
    const document = {
      '/.well-known/oauth-authorization-server': { issuer: url, jwks_uri: `${url}/keys`, ...state.metadata },
      '/keys': { keys: state.keys.map(({ jwk }) => jwk) },
    }[request.url ?? ''];
    response.writeHead(document ? 200 : 404, { 'content-type': 'application/json' });
    response.end(JSON.stringify(document ?? {}));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  function sign(resource: string, { claims = {}, header = {}, key = state.keys[0] }: Signing = {}) {
    const now = Math.floor(Date.now() / 1_000);
    const usual = {
      iss: url,
      aud: resource,
      sub: 'ada',
      client_id: 'inspector',
      scope: 'executor:agent',
      iat: now,
      exp: now + 300,
    };
    return new SignJWT({ ...usual, ...claims })
      .setProtectedHeader({ alg: 'ES256', kid: key?.kid ?? '', typ: 'at+jwt', ...header })
      .sign((key as Pair).privateKey);
  }

  return {
    url,
    state,
    sign,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

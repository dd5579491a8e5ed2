import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import Provider from 'oidc-provider';
import { newPair } from './issuer.ts';

/** The actions of the simulated user. */
interface Visitor {
  login: string;
  /** Which of the requested scopes are granted. */
  grants: string[];
}

/**
 * A real authorization server with client registration, PKCE and JWTs for the requested resource. Instead of pages it has a simulated
 * user who signs in and grants as the test says.
 */
export async function startOidcProvider(visitor: Visitor) {
  const listener = createServer();
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(listener.address() as AddressInfo).port}`;
  const { privateJwk } = await newPair('provider');
  const provider = new Provider(url, {
    jwks: { keys: [privateJwk] },
    clientDefaults: { id_token_signed_response_alg: 'ES256' },
    cookies: { keys: ['a key of this test'] },
    scopes: ['openid', 'offline_access', 'executor:agent'],
    findAccount: (_, id) => ({ accountId: id, claims: () => ({ sub: id }) }),
    ttl: {
      Session: 600,
      Grant: 600,
      Interaction: 600,
      AccessToken: 300,
      RefreshToken: 600,
      AuthorizationCode: 60,
    },
    interactions: { url: (_, { uid }) => `/visit/${uid}` },
    features: {
      devInteractions: { enabled: false },
      registration: { enabled: true },
      resourceIndicators: {
        enabled: true,
        getResourceServerInfo: (_, resource) => ({
          scope: 'executor:agent',
          audience: resource,
          accessTokenFormat: 'jwt',
          accessTokenTTL: 300,
          jwt: { sign: { alg: 'ES256' } },
        }),
      },
    },
  });
  const serve = provider.callback();
  listener.on('request', (request, response) => {
    if (request.url?.startsWith('/visit/'))
      visit(provider, visitor, request, response).catch(failed(response));
    else serve(request, response);
  });
  return {
    url,
    visitor,
    async [Symbol.asyncDispose]() {
      listener.closeAllConnections();
      await new Promise((resolve) => listener.close(resolve));
    },
  };
}

async function visit(
  provider: Provider,
  { login, grants }: Visitor,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { prompt, params, grantId } = await provider.interactionDetails(request, response);
  if (prompt.name === 'login') {
    return provider.interactionFinished(request, response, { login: { accountId: login } });
  }
  const clientId = String(params.client_id);
  const known = grantId === undefined ? undefined : await provider.Grant.find(grantId);
  const grant = known ?? new provider.Grant({ accountId: login, clientId });
  const asked = String(params.scope ?? '').split(' ');
  const resource = String(params.resource);
  grant.addOIDCScope('openid offline_access');
  // The provider must know the scope itself, so that clients can register with it.
  for (const scope of asked.filter((name) => name.startsWith('executor:'))) {
    const isGranted = grants.includes(scope);
    grant[isGranted ? 'addOIDCScope' : 'rejectOIDCScope'](scope);
    grant[isGranted ? 'addResourceScope' : 'rejectResourceScope'](resource, scope);
  }
  return provider.interactionFinished(
    request,
    response,
    { consent: { grantId: await grant.save() } },
    { mergeWithLastSubmission: true },
  );
}

function failed(response: ServerResponse) {
  return (error: Error) => void response.writeHead(500).end(error.stack);
}

/** Follows redirects as a browser does, with cookies, and returns the redirect to the client. */
export async function browse(start: URL, back: string): Promise<URL> {
  const cookies = new Map<string, string>();
  let at = start;
  for (let steps = 0; steps < 12; steps++) {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const response = await fetch(at, { redirect: 'manual', headers: { cookie } });
    for (const set of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(set) ?? [];
      if (value === '') cookies.delete(name);
      else cookies.set(name, value);
    }
    const location = response.headers.get('location');
    if (location === null) throw new Error(`${at} answers ${response.status}: ${await response.text()}`);
    at = new URL(location, at);
    if (at.href.startsWith(back)) return at;
  }
  throw new Error(`${start} leads nowhere`);
}

import type { SessionKey } from '@executor/protocol';
import { RequestSigner } from '../../client/src/request-signer.ts';
import { call } from './server.ts';

interface Server {
  url: string;
  localToken: string;
}

type Init = Parameters<typeof call>[3];

/** What the page of a signed-in browser has and does. */
export interface BrowserSession {
  id: string;
  /** As the `cookie` header sends it. */
  cookie: string;
  setCookie: string;
  signer: RequestSigner;
  /** The headers of a signed request. It can be sent once. */
  headers(method: string, path: string, body?: string): Promise<Record<string, string>>;
  /** Sends a signed request. */
  call(method: string, path: string, init?: Init): ReturnType<typeof call>;
}

/** Signs in as a browser does, with a link that the local token or another credential created. */
export async function openBrowserSession(
  server: Server,
  { token = server.localToken, headers = {} }: { token?: string; headers?: Record<string, string> } = {},
): Promise<BrowserSession> {
  const code = await newSignInCode(server, { token, headers });
  const browser = await newBrowser();
  const opened = await redeem(server, browser, { code, headers });
  if (opened.status !== 201) throw new Error(`not signed in: ${opened.text}`);
  const setCookie = opened.headers.get('set-cookie') ?? '';
  const cookie = setCookie.split(';')[0] ?? '';
  const { signer } = browser;
  const signedHeaders = async (method: string, target: string, body?: string) => ({
    cookie,
    ...(await signer.sign({ method, target, body })).headers,
  });
  return {
    id: opened.json.id,
    cookie,
    setCookie,
    signer,
    headers: signedHeaders,
    async call(method, path, init = {}) {
      const body = init.body === undefined ? undefined : JSON.stringify(init.body);
      const own = await signedHeaders(method, path, body);
      return call(server, method, path, { ...init, headers: { ...own, ...init.headers } });
    },
  };
}

export interface Browser {
  publicKey: SessionKey;
  signer: RequestSigner;
}

/** The key of a browser that is not signed in yet. */
export async function newBrowser(): Promise<Browser> {
  const pair = await crypto.subtle.generateKey({ name: 'ECDSA', namedCurve: 'P-256' }, false, ['sign']);
  const { x = '', y = '' } = await crypto.subtle.exportKey('jwk', pair.publicKey);
  return { publicKey: { kty: 'EC', crv: 'P-256', x, y }, signer: new RequestSigner(pair.privateKey) };
}

export async function newSignInCode(
  server: Server,
  { token = server.localToken, headers = {} }: { token?: string; headers?: Record<string, string> } = {},
): Promise<string> {
  const { json } = await call(server, 'POST', '/v1/sessions/links', { token, headers });
  return new URL(json.url).hash.replace('#sign-in=', '');
}

/** Redeems a code. The browser has to learn the nonce of the server first. */
export async function redeem(
  server: { url: string },
  { publicKey, signer }: Browser,
  { code, headers = {} }: { code: string; headers?: Record<string, string> },
): ReturnType<typeof call> {
  const body = { code, publicKey };
  const request = { method: 'POST', target: '/v1/sessions', body: JSON.stringify(body) };
  const post = async () => {
    const signed = await signer.sign(request);
    const answer = await call(server, 'POST', request.target, {
      body,
      headers: { ...headers, ...signed.headers },
    });
    return { answer, hasNewNonce: signed.learnFrom(answer) };
  };
  const { answer, hasNewNonce } = await post();
  return hasNewNonce ? (await post()).answer : answer;
}

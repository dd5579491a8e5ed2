import { constants } from 'node:crypto';
import { createServer, type Server, type ServerOptions } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { afterAll, beforeAll, expect, test } from 'vitest';
import * as certificates from '../../../engine/test/client-certificates.ts';
import { createHttpClient } from './create-http-client.ts';
import type { HttpClient, SendOptions } from './http-client.ts';
import { UnreachableError } from './unreachable-error.ts';

/* Two real servers that let nobody in without a certificate; the first sends on to the second. */

const { authority: ca, certificate, key, lockedKey, passphrase } = certificates;
const ada = { certificate, key };
const servers: Server[] = [];
let http: HttpClient;
let [first, second] = ['', ''];

beforeAll(async () => {
  http = createHttpClient();
  second = await listen({ requestCert: true, rejectUnauthorized: false });
  first = await listen({ requestCert: true, rejectUnauthorized: true });
});

afterAll(async () => {
  await http.close();
  for (const server of servers) server.close();
});

async function listen(options: ServerOptions): Promise<string> {
  const { serverCertificate: cert, serverKey } = certificates;
  const server = createServer({ cert, key: serverKey, ca, ...options }, (request, response) => {
    if (request.url === '/port') return response.writeHead(302, { location: second }).end();
    if (request.url === '/host')
      return response.writeHead(302, { location: second.replace('127.0.0.1', 'localhost') }).end();
    const socket = request.socket as TLSSocket;
    if (request.url === '/members')
      return socket.renegotiate({ requestCert: true, rejectUnauthorized: true }, () => response.end());
    return response.end(socket.getPeerCertificate().subject?.CN ?? 'nobody');
  });
  servers.push(server);
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  return `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

type SendDetails = Partial<SendOptions> & { method?: string; client?: HttpClient };

function send(url: string, options: SendDetails = {}): Promise<string> {
  return sendUsually(url, { serverCa: ca, ...options });
}

async function sendUsually(
  url: string,
  { method = 'GET', client = http, ...options }: SendDetails = {},
): Promise<string> {
  const { body } = await client.send(
    { method, url, headers: {}, ...(method === 'POST' && { body: 'x' }) },
    {
      signal: AbortSignal.timeout(20_000),
      allowPrivateNetwork: true,
      redirects: 'read',
      ...options,
    },
  );
  const pieces: Uint8Array[] = [];
  for await (const piece of body) pieces.push(piece);
  return Buffer.concat(pieces).toString();
}

test('a certificate lets a request in, its key encrypted or not', async () => {
  expect(await send(first, { credentials: { certificate: ada } })).toBe('ada');
  const locked = { certificate, key: lockedKey, passphrase };
  expect(await send(first, { credentials: { certificate: locked } })).toBe('ada');
});

test('whom to trust is said without a certificate too, and is believed of nobody else', async () => {
  expect(await send(second)).toBe('nobody');
  const untrusted = { code: 'untrustedServer', message: expect.stringContaining('--server-ca FILE') };
  const { strangerCertificate: serverCa } = certificates;
  await expect(send(second, { serverCa })).rejects.toMatchObject(untrusted);
});

test('nobody is let in on the connection of another', async () => {
  expect(await send(second, { credentials: { certificate: ada } })).toBe('ada');
  expect(await send(second)).toBe('nobody');
  // Nobody vouches for the server: the connections above are not used, or this would pass.
  await expect(sendUsually(second)).rejects.toMatchObject({ code: 'untrustedServer' });
});

test('a certificate that the server does not know lets nobody in', async () => {
  const { strangerCertificate, strangerKey } = certificates;
  const stranger = { certificate: strangerCertificate, key: strangerKey };
  await expect(send(first, { credentials: { certificate: stranger } })).rejects.toBeInstanceOf(
    UnreachableError,
  );
});

test.each([
  ['TLSv1.2', 'GET'],
  ['TLSv1.2', 'POST'],
  ['TLSv1.3', 'GET'],
  ['TLSv1.3', 'POST'],
] as const)(
  'without a certificate, a server of %s says to a %s that it wants one, and has read nothing',
  async (version, method) => {
    const url = await listen({
      requestCert: true,
      rejectUnauthorized: true,
      minVersion: version,
      maxVersion: version,
    });
    await expect(send(url, { method })).rejects.toMatchObject({
      code: 'clientCertificate',
      mayHaveArrived: false,
    });
  },
);

test('with a certificate that cannot be read nothing is sent', async () => {
  const broken = { certificate: `${certificate}${ca.slice(0, 300)}`, key };
  await expect(send(first, { method: 'POST', credentials: { certificate: broken } })).rejects.toMatchObject({
    code: 'tls',
    mayHaveArrived: false,
  });
});

test('a server that wants a certificate after it has answered may have read the request', async () => {
  // Until this version a server may still ask on a connection that is there.
  const url = await listen({
    maxVersion: 'TLSv1.2',
    secureOptions: constants.SSL_OP_NO_SESSION_RESUMPTION_ON_RENEGOTIATION,
  });
  const client = createHttpClient({ perOrigin: 1 });
  expect(await send(url, { client, method: 'POST' })).toBe('nobody');
  await expect(send(`${url}/members`, { client, method: 'POST' })).rejects.toMatchObject({
    code: 'clientCertificate',
    mayHaveArrived: true,
  });
  await client.close();
});

test('the certificate does not go along to another port, and whom to trust not to another host', async () => {
  const credentials = { certificate: ada };
  expect(await send(`${first}/port`, { credentials })).toBe('nobody');
  await expect(send(`${first}/host`, { credentials })).rejects.toMatchObject({ code: 'untrustedServer' });
});

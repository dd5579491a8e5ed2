import { constants } from 'node:crypto';
import { createServer, type Server, type ServerOptions } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { afterAll, beforeAll, expect, test } from 'vitest';
import * as certificates from '../../../engine/test/client-certificates.ts';
import { createHttpClient } from './create-http-client.ts';
import type { HttpClient, SendOptions } from './http-client.ts';
import { UnreachableError } from './unreachable-error.ts';

/* Two real servers that require a client certificate. The first one redirects to the second. */

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
    return response.end(socket.getPeerCertificate().subject?.CN ?? 'no certificate');
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

test('requests succeed with a client certificate, whether its key is encrypted or not', async () => {
  expect(await send(first, { credentials: { certificate: ada } })).toBe('ada');
  const locked = { certificate, key: lockedKey, passphrase };
  expect(await send(first, { credentials: { certificate: locked } })).toBe('ada');
});

test('a CA can be trusted without a client certificate, and only servers of that CA are trusted', async () => {
  expect(await send(second)).toBe('no certificate');
  const untrusted = { code: 'untrustedServer', message: expect.stringContaining('--server-ca FILE') };
  const { unknownCertificate: serverCa } = certificates;
  await expect(send(second, { serverCa })).rejects.toMatchObject(untrusted);
});

test('requests never use a connection that another request was authenticated for', async () => {
  expect(await send(second, { credentials: { certificate: ada } })).toBe('ada');
  expect(await send(second)).toBe('no certificate');
  // No CA is trusted here, so this would succeed only on one of the connections above.
  await expect(sendUsually(second)).rejects.toMatchObject({ code: 'untrustedServer' });
});

test('servers reject an unknown client certificate', async () => {
  const { unknownCertificate, unknownKey } = certificates;
  const unknown = { certificate: unknownCertificate, key: unknownKey };
  await expect(send(first, { credentials: { certificate: unknown } })).rejects.toBeInstanceOf(
    UnreachableError,
  );
});

test.each([
  ['TLSv1.2', 'GET'],
  ['TLSv1.2', 'POST'],
  ['TLSv1.3', 'GET'],
  ['TLSv1.3', 'POST'],
] as const)(
  'a server of %s rejects a %s without a certificate before it reads the request',
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

test('nothing is sent with an unreadable certificate', async () => {
  const broken = { certificate: `${certificate}${ca.slice(0, 300)}`, key };
  await expect(send(first, { method: 'POST', credentials: { certificate: broken } })).rejects.toMatchObject({
    code: 'tls',
    mayHaveArrived: false,
  });
});

test('a server that asks for a certificate after its first response may have read the request', async () => {
  // Up to TLS 1.2, a server may still ask for a certificate on an open connection.
  const url = await listen({
    maxVersion: 'TLSv1.2',
    secureOptions: constants.SSL_OP_NO_SESSION_RESUMPTION_ON_RENEGOTIATION,
  });
  const client = createHttpClient({ perOrigin: 1 });
  expect(await send(url, { client, method: 'POST' })).toBe('no certificate');
  await expect(send(`${url}/members`, { client, method: 'POST' })).rejects.toMatchObject({
    code: 'clientCertificate',
    mayHaveArrived: true,
  });
  await client.close();
});

test('redirects do not carry the certificate to another port, nor the trusted CA to another host', async () => {
  const credentials = { certificate: ada };
  expect(await send(`${first}/port`, { credentials })).toBe('no certificate');
  await expect(send(`${first}/host`, { credentials })).rejects.toMatchObject({ code: 'untrustedServer' });
});

import { createServer, type Server } from 'node:https';
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

async function listen(options: { requestCert: boolean; rejectUnauthorized: boolean }): Promise<string> {
  const { serverCertificate: cert, serverKey } = certificates;
  const server = createServer({ cert, key: serverKey, ca, ...options }, (request, response) => {
    if (request.url === '/elsewhere') return response.writeHead(302, { location: second }).end();
    const { subject } = (request.socket as TLSSocket).getPeerCertificate();
    return response.end(subject?.CN ?? 'nobody');
  });
  servers.push(server);
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  return `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

function send(url: string, options: Partial<SendOptions> = {}): Promise<string> {
  return sendUsually(url, { serverCa: ca, ...options });
}

async function sendUsually(url: string, options: Partial<SendOptions> = {}): Promise<string> {
  const { body } = await http.send(
    { method: 'GET', url, headers: {} },
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

test('neither the certificate nor whom to trust goes along to another origin', async () => {
  await expect(send(`${first}/elsewhere`, { credentials: { certificate: ada } })).rejects.toMatchObject({
    code: 'untrustedServer',
  });
});

import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { TLSSocket } from 'node:tls';
import type { NewSource } from '@executor/protocol';
import { afterAll, beforeAll, expect, test } from 'vitest';
import * as certificates from '../../../engine/test/client-certificates.ts';
import { TestEngine } from '../../../engine/test/test-engine.ts';
import { readerFolder } from '../../test/reader-folder.ts';
import { createHttpClient } from '../http/create-http-client.ts';
import type { HttpClient } from '../http/http-client.ts';
import { createOpenApiSource } from './openapi-source.ts';

/* Adds a source, fetches its document and calls its operation, on real servers with certificates of a private CA. */

const { authority: serverCa, certificate, key } = certificates;
let http: HttpClient;
let host: TestEngine;
let [locked, open] = ['', ''];
const servers: Server[] = [];

const document = JSON.stringify({
  openapi: '3.1.0',
  info: { title: 'Doors', version: '1' },
  components: { securitySchemes: { shown: { type: 'mutualTLS' } } },
  paths: {
    '/who': { get: { tags: ['door'], operationId: 'who', responses: { 200: { description: 'ok' } } } },
    '/me': {
      get: {
        tags: ['door'],
        operationId: 'me',
        security: [{ shown: [] }],
        responses: { 200: { description: 'ok' } },
      },
    },
  },
});

beforeAll(async () => {
  http = createHttpClient();
  host = await TestEngine.start({ sourceKinds: [createOpenApiSource({ http, readerFolder })] });
  locked = await listen({ requestCert: true, rejectUnauthorized: true });
  open = await listen({ requestCert: false });
});

afterAll(async () => {
  await host.close();
  await http.close();
  for (const server of servers) server.close();
});

async function listen(options: { requestCert: boolean; rejectUnauthorized?: boolean }): Promise<string> {
  const { serverCertificate: cert, serverKey } = certificates;
  const server = createServer({ cert, key: serverKey, ca: serverCa, ...options }, (request, response) => {
    if (request.url === '/openapi.json') return response.end(document);
    const { subject } = (request.socket as TLSSocket).getPeerCertificate();
    const { authorization = '' } = request.headers;
    return response
      .setHeader('content-type', 'text/plain')
      .end(`${subject?.CN ?? 'no certificate'}${authorization}`);
  });
  servers.push(server);
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  return `https://127.0.0.1:${(server.address() as AddressInfo).port}/openapi.json`;
}

const add = (request: NewSource) => host.engine.sources.add(host.owner, request);
const call = async (path: string) => {
  const { result, error } = await host.run(`return await tools.${path}({})`);
  return error ? error.message : result;
};

test('a client certificate is used for the document and for calls', async () => {
  const auth = { type: 'schemes' as const, schemes: {}, certificate: { certificate, key } };
  const source = await add({ url: locked, namespace: 'locked', serverCa, auth });
  expect(source).toMatchObject({ toolCount: 2, auth: { certificate: { subject: 'CN=ada' } } });
  expect(JSON.stringify(source)).not.toContain('PRIVATE KEY');
  expect([await call('locked.door.me'), await call('locked.door.who')]).toEqual(['ada', 'ada']);
});

test('without a client certificate, the error says what is missing', async () => {
  await expect(add({ url: locked, namespace: 'none', serverCa })).rejects.toMatchObject({
    code: 'unreachable',
  });
  await add({ document, baseUrl: new URL(locked).origin, namespace: 'shut', serverCa });
  expect(await call('shut.door.me')).toContain(
    'executor sources edit shut --client-certificate FILE --client-key FILE',
  );
});

test('a private CA is trusted if the source names it, with any credentials', async () => {
  await expect(add({ url: open, namespace: 'unknown' })).rejects.toMatchObject({
    code: 'unreachable',
    message: expect.stringContaining('The certificate of 127.0.0.1'),
  });
  await add({ url: open, namespace: 'known', serverCa });
  expect(await call('known.door.who')).toBe('no certificate');
  await host.engine.sources.update(host.owner, 'known', { auth: { type: 'bearer', token: 'token-of-ada' } });
  expect(await call('known.door.who')).toBe('no certificate[secret]');
  await host.engine.sources.update(host.owner, 'known', { serverCa: null });
  expect(await call('known.door.who')).toContain('The certificate of 127.0.0.1');
});

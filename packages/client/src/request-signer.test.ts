import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { maxNonces, nonceHeader, proofHeader, readProof } from '@executor/protocol';
import { expect, test } from 'vitest';
import { createClient } from './client.ts';
import { KnownNonces } from './known-nonces.ts';
import { RequestSigner } from './request-signer.ts';

const { privateKey } = await crypto.subtle.generateKey({ name: 'ECDSA', namedCurve: 'P-256' }, false, [
  'sign',
]);

/** Server processes behind one address, each with a nonce of its own. They take turns. */
async function processes(nonces: string[]) {
  const seen: string[][] = [];
  let turn = 0;
  const answer: RequestListener = (request, response) => {
    const nonce = nonces[turn++ % nonces.length] ?? '';
    const proof = readProof(String(request.headers[proofHeader] ?? ''));
    response.setHeader(nonceHeader, nonce);
    seen.push(proof?.nonces ?? ['no proof']);
    if (proof?.nonces.includes(nonce)) response.end('{"items":[]}');
    else response.writeHead(401).end('{"error":{"code":"nonceRequired","message":"Sign again."}}');
  };
  const server = createServer(answer).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { url, seen, [Symbol.dispose]: () => void server.close() };
}

const nonceOf = (letter: string) => letter.repeat(22);

test('A request is signed again for each process that names its nonce', async () => {
  const names = ['a', 'b', 'c'].map(nonceOf);
  using server = await processes(names);
  const client = createClient({ url: server.url, signer: new RequestSigner(privateKey) });
  expect(await client.apiKeys.list()).toEqual({ items: [] });
  expect(server.seen.map(({ length }) => length)).toEqual([0, 1, 2, 3]);
  for (let count = 0; count < 6; count += 1) await client.apiKeys.list();
  expect(server.seen).toHaveLength(10);
});

test('A server that names a new nonce each time does not keep the client busy for ever', async () => {
  using server = await processes(Array.from({ length: 50 }, (_, index) => String(index).padStart(22, 'n')));
  const client = createClient({ url: server.url, signer: new RequestSigner(privateKey) });
  await expect(client.apiKeys.list()).rejects.toMatchObject({ code: 'nonceRequired' });
  expect(server.seen).toHaveLength(maxNonces + 1);
  expect(Math.max(...server.seen.map(({ length }) => length))).toBe(maxNonces);
});

test('The first requests of a page share one request for a nonce, and none of them is refused', async () => {
  using server = await processes([nonceOf('a')]);
  const { url } = server;
  const nonces: KnownNonces = new KnownNonces(async () => nonces.learnFrom(await fetch(url)));
  const client = createClient({ url, signer: new RequestSigner(privateKey, nonces) });
  await Promise.all(Array.from({ length: 20 }, () => client.apiKeys.list()));
  expect(server.seen.filter(([first]) => first === 'no proof')).toHaveLength(1);
  expect(server.seen.filter(([first]) => first === nonceOf('a'))).toHaveLength(20);
});

test('A lost key is reported by each request', async () => {
  const signer = new RequestSigner(Promise.reject(new Error('lost')));
  await expect(signer.sign({ method: 'GET', target: '/', body: undefined })).rejects.toThrow('lost');
});

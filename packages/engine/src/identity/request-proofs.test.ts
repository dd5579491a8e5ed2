import { expect, test } from 'vitest';
import { PageKey } from '../../test/page-key.ts';
import { RequestProofs } from './request-proofs.ts';

const page = new PageKey();

test('A signed request is accepted once, among many at the same time', () => {
  const proofs = new RequestProofs();
  const requests = Array.from({ length: 50 }, () => page.sign([proofs.nonce]));
  for (const request of requests) expect(proofs.accept(page.publicKey, request)).toBe(true);
  for (const request of requests)
    expect(() => proofs.accept(page.publicKey, request)).toThrow(
      expect.objectContaining({ code: 'conflict' }),
    );
});

test('A change of any part of the request invalidates the signature', () => {
  const proofs = new RequestProofs();
  const request = page.sign([proofs.nonce], { method: 'PATCH', target: '/v1/settings?a=1', body: '{}' });
  const { proof } = request;
  const other = page.sign([proofs.nonce]).proof;
  const changed = [
    { ...request, method: 'DELETE' },
    { ...request, target: '/v1/settings' },
    { ...request, target: '/v1/settings?a=2' },
    { ...request, proof: { ...proof, bodyHash: other.bodyHash } },
    { ...request, proof: { ...proof, id: other.id } },
    { ...request, proof: { ...proof, nonces: [...proof.nonces, other.id] } },
    { ...request, proof: { ...proof, signature: other.signature } },
  ];
  for (const forged of changed) expect(proofs.accept(page.publicKey, forged)).toBe(false);
  expect(proofs.accept(new PageKey().publicKey, request)).toBe(false);
  expect(proofs.accept({ ...page.publicKey, x: page.publicKey.y }, request)).toBe(false);
  expect(proofs.accept(page.publicKey, request)).toBe(true);
});

test('A request without a nonce of this process is not accepted, nor one for another process', () => {
  const [here, there] = [new RequestProofs(), new RequestProofs()];
  for (const nonces of [[], [there.nonce]])
    expect(() => here.accept(page.publicKey, page.sign(nonces))).toThrow(
      expect.objectContaining({ code: 'nonceRequired' }),
    );
  expect(here.accept(page.publicKey, page.sign([there.nonce, here.nonce]))).toBe(true);
});

test('A nonce is replaced after its time, accepted as long again, and then forgotten', () => {
  let now = 0;
  const proofs = new RequestProofs({ monotonicMs: () => now, maxAgeMs: 1_000 });
  const first = proofs.nonce;
  const request = page.sign([first]);
  proofs.accept(page.publicKey, request);
  now = 1_000;
  expect(proofs.nonce).not.toBe(first);
  expect(proofs.accept(page.publicKey, page.sign([first]))).toBe(true);
  expect(() => proofs.accept(page.publicKey, request)).toThrow(expect.objectContaining({ code: 'conflict' }));
  now = 2_000;
  expect(() => proofs.accept(page.publicKey, page.sign([first]))).toThrow(
    expect.objectContaining({ code: 'nonceRequired' }),
  );
});

test('A nonce is replaced after many requests, so that their ids take bounded memory', () => {
  const proofs = new RequestProofs({ maxRequests: 3 });
  const first = proofs.nonce;
  const requests = Array.from({ length: 3 }, () => page.sign([first]));
  for (const request of requests) proofs.accept(page.publicKey, request);
  for (let count = 0; count < 3; count += 1) proofs.accept(page.publicKey, page.sign([proofs.nonce]));
  expect(proofs.nonce).not.toBe(first);
  for (const request of requests)
    expect(() => proofs.accept(page.publicKey, request)).toThrow(
      expect.objectContaining({ code: 'nonceRequired' }),
    );
});

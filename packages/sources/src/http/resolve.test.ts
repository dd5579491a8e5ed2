import { expect, test } from 'vitest';
import type { Reach } from './reach.ts';
import { lookupFor, type Resolve } from './resolve.ts';

const steered =
  (...answers: string[][]): Resolve =>
  async () =>
    (answers.shift() ?? ['127.0.0.1']).map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));

function lookUp(resolve: Resolve, reach: Reach, all = true): Promise<unknown> {
  return new Promise((found, failed) =>
    lookupFor(resolve, reach)('api.example', { all }, (error, address, family) =>
      error ? failed(error) : found(family === undefined ? address : { address, family }),
    ),
  );
}

test('a connection uses the addresses that were checked, so DNS rebinding has no effect', async () => {
  const resolve = steered(['8.8.8.8', '2606:4700::1'], ['127.0.0.1']);
  expect(await lookUp(resolve, 'public')).toEqual([
    { address: '8.8.8.8', family: 4 },
    { address: '2606:4700::1', family: 6 },
  ]);
  await expect(lookUp(resolve, 'public')).rejects.toThrow('api.example resolves to 127.0.0.1');
});

test('a lookup for one address returns one address', async () => {
  expect(await lookUp(steered(['8.8.8.8', '1.1.1.1']), 'public', false)).toEqual({
    address: '8.8.8.8',
    family: 4,
  });
});

test('one private address among public ones refuses the name', async () => {
  await expect(lookUp(steered(['8.8.8.8', 'fd00::1']), 'public')).rejects.toMatchObject({
    code: 'privateAddress',
  });
  expect(await lookUp(steered(['8.8.8.8', 'fd00::1']), 'private')).toHaveLength(2);
});

test('a name without addresses is not found', async () => {
  await expect(lookUp(steered([]), 'private')).rejects.toMatchObject({ code: 'ENOTFOUND' });
});

test('a name that resolves to a link-local address is refused even if private networks are allowed', async () => {
  for (const address of [
    '169.254.169.254',
    '::ffff:169.254.169.254',
    'fe80::1',
    'fd00:ec2::254',
    '168.63.129.16',
    'fd20:ce::254',
  ])
    await expect(lookUp(steered(['10.0.0.1', address]), 'private')).rejects.toMatchObject({
      code: 'privateAddress',
      message: expect.stringContaining(address),
    });
});

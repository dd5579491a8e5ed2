import { expect, test } from 'vitest';
import { isPrivateUrl, lookupFor, type Resolve } from './resolve.ts';

const steered =
  (...answers: string[][]): Resolve =>
  async () =>
    (answers.shift() ?? ['127.0.0.1']).map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));

function lookUp(resolve: Resolve, allowPrivateNetwork: boolean, all = true): Promise<unknown> {
  return new Promise((found, failed) =>
    lookupFor(resolve, allowPrivateNetwork)('api.example', { all }, (error, address, family) =>
      error ? failed(error) : found(family === undefined ? address : { address, family }),
    ),
  );
}

test('a connection gets the very addresses that were checked, so that a name cannot change its mind in between', async () => {
  const resolve = steered(['8.8.8.8', '2606:4700::1'], ['127.0.0.1']);
  expect(await lookUp(resolve, false)).toEqual([
    { address: '8.8.8.8', family: 4 },
    { address: '2606:4700::1', family: 6 },
  ]);
  await expect(lookUp(resolve, false)).rejects.toThrow('api.example leads to 127.0.0.1');
});

test('one address is given where one is asked for', async () => {
  expect(await lookUp(steered(['8.8.8.8', '1.1.1.1']), false, false)).toEqual({
    address: '8.8.8.8',
    family: 4,
  });
});

test('one private address among public ones refuses them all', async () => {
  await expect(lookUp(steered(['8.8.8.8', 'fd00::1']), false)).rejects.toMatchObject({
    code: 'privateAddress',
  });
  expect(await lookUp(steered(['8.8.8.8', 'fd00::1']), true)).toHaveLength(2);
});

test('a name without addresses is not found', async () => {
  await expect(lookUp(steered([]), true)).rejects.toMatchObject({ code: 'ENOTFOUND' });
});

test('tells whether a URL is of a private network', async () => {
  expect(await isPrivateUrl('http://localhost:3000/openapi.json')).toBe(true);
  expect(await isPrivateUrl('http://[::1]/')).toBe(true);
  expect(await isPrivateUrl('http://8.8.8.8/')).toBe(false);
  expect(await isPrivateUrl('https://a.example/', steered(['8.8.8.8']))).toBe(false);
  expect(await isPrivateUrl('https://a.example/', steered(['8.8.8.8', '10.1.1.1']))).toBe(true);
  const gone: Resolve = () => Promise.reject(Object.assign(new Error('gone'), { code: 'ENOTFOUND' }));
  await expect(isPrivateUrl('https://a.example/', gone)).rejects.toMatchObject({ code: 'nameNotFound' });
});

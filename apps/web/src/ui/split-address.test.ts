import { describe, expect, test } from 'vitest';
import { splitAddress, webAddress } from './split-address.ts';

describe('The shown host is the one that a browser connects to', () => {
  const cases: [string, { host: string; actualHost?: string } | undefined][] = [
    ['https://api.example.com/v1?a=b#c', { host: 'api.example.com' }],
    ['http://127.0.0.1:8788/x', { host: '127.0.0.1:8788' }],
    ['https://bank.example@evil.test/', { host: 'evil.test' }],
    ['https://bank.example:443/', { host: 'bank.example:443' }],
    ['https://evil.test\\@bank.example/', { host: 'bank.example', actualHost: 'evil.test' }],
    ['https://b\u0430nk.example/', { host: 'b\u0430nk.example', actualHost: 'xn--bnk-6cd.example' }],
    ['https://EXAMPLE.com/', { host: 'EXAMPLE.com', actualHost: 'example.com' }],
    ['mailto:someone@example.com', undefined],
    ['nonsense', undefined],
  ];
  for (const [url, expected] of cases) {
    test(url, () => {
      const parts = splitAddress(url);
      if (expected === undefined) return expect(parts).toBeUndefined();
      expect(parts).toMatchObject(expected);
      expect(parts?.actualHost).toBe(expected.actualHost);
      expect(`${parts?.before}${parts?.host}${parts?.after}`).toBe(url);
    });
  }
});

test('Only web addresses can be opened', () => {
  expect(webAddress('https://example.com/a b')).toBe('https://example.com/a%20b');
  expect(webAddress('javascript:alert(1)')).toBeUndefined();
  expect(webAddress('data:text/html,x')).toBeUndefined();
  expect(webAddress('/relative')).toBeUndefined();
});

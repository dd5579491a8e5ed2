import { expect, test } from 'vitest';
import { toUnreachable, whileConnecting } from './unreachable-error.ts';

const failure = (code: string) => Object.assign(new Error('failed'), { code });

test.each([
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENETDOWN',
  'EPROTO',
  'ERR_SSL_SSLV3_ALERT_BAD_RECORD_MAC',
  'ECONNRESET',
  'EPIPE',
  'UND_ERR_SOCKET',
  'EWHATEVER',
])('%s may come after a request has arrived, unless it comes while connecting', (code) => {
  expect(toUnreachable(failure(code), 'a.example').mayHaveArrived).toBe(true);
  const before = whileConnecting(failure(code), 'a.example');
  expect(before.mayHaveArrived).toBe(false);
  expect(toUnreachable(before, 'a.example')).toBe(before);
});

test('what cannot be sent has not arrived', () => {
  expect(toUnreachable(failure('UND_ERR_INVALID_ARG'), 'a.example')).toMatchObject({
    code: 'invalidRequest',
    mayHaveArrived: false,
  });
});

test('a connection that is not taken in time is told from an answer that does not come', () => {
  expect(whileConnecting(failure('ETIMEDOUT'), 'a.example').message).toMatch(/did not take the connection/);
  expect(toUnreachable(failure('ETIMEDOUT'), 'a.example').message).toMatch(/took the request/);
});

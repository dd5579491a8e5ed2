import { expect, test } from 'vitest';
import { beforeAnyResponse, toUnreachable, whileConnecting } from './unreachable-error.ts';

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
])('%s means that the request may have arrived, except while connecting', (code) => {
  expect(toUnreachable(failure(code), 'a.example').mayHaveArrived).toBe(true);
  expect(beforeAnyResponse(failure(code), 'a.example').mayHaveArrived).toBe(true);
  const before = whileConnecting(failure(code), 'a.example');
  expect(before.mayHaveArrived).toBe(false);
  expect(toUnreachable(before, 'a.example')).toBe(before);
});

test('a request that cannot be sent has not arrived', () => {
  expect(toUnreachable(failure('UND_ERR_INVALID_ARG'), 'a.example')).toMatchObject({
    code: 'invalidRequest',
    mayHaveArrived: false,
  });
});

test('a timeout while connecting differs from a timeout while waiting for the response', () => {
  expect(whileConnecting(failure('ETIMEDOUT'), 'a.example').message).toMatch(
    /Connecting to a.example timed out/,
  );
  expect(toUnreachable(failure('ETIMEDOUT'), 'a.example').message).toMatch(/accepted the request/);
});

test.each([
  ['ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED', 'tlsv13 alert certificate required', 'certificate required'],
  ['ERR_SSL_TLSV1_ALERT_UNKNOWN_CA', 'tlsv1 alert unknown ca', 'unknown ca'],
  ['ERR_SSL_SSLV3_ALERT_BAD_CERTIFICATE', 'sslv3 alert bad certificate', 'bad certificate'],
  ['ERR_SSL_SSLV3_ALERT_HANDSHAKE_FAILURE', 'sslv3 alert handshake failure', 'handshake failure'],
])(
  '%s means that a client certificate is required, and that nothing was read before a response',
  (code, name, alertText) => {
    const alert = Object.assign(
      new Error(`C0F:error:0A00045C:SSL routines:ssl3_read_bytes:${name}:../deps:1:`),
      {
        code,
      },
    );
    expect(toUnreachable(alert, 'a.example')).toMatchObject({
      code: 'clientCertificate',
      mayHaveArrived: true,
    });
    expect(beforeAnyResponse(alert, 'a.example')).toMatchObject({
      code: 'clientCertificate',
      mayHaveArrived: false,
      message: `a.example rejected the TLS connection with "${alertText}". It probably requires a client certificate, or another one.`,
    });
  },
);

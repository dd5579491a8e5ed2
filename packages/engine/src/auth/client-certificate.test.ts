import type { ClientCertificate, SourceAuth } from '@executor/protocol';
import { expect, test } from 'vitest';
import {
  authority,
  certificate,
  key,
  lockedKey,
  passphrase,
  serverKey,
} from '../../test/client-certificates.ts';
import { authAfter } from '../source/source-change.ts';
import { certificateView, requireConnectable, requireUsable } from './client-certificate.ts';
import { composeAuth } from './compose-auth.ts';

const ours: ClientCertificate = { certificate, key };

test.each<[string, Partial<ClientCertificate>, string | undefined]>([
  ['a certificate and its key', {}, undefined],
  ['an encrypted key and its passphrase', { key: lockedKey, passphrase }, undefined],
  ['an encrypted key alone', { key: lockedKey }, 'passphrase: the key is encrypted and needs one'],
  ['a wrong passphrase', { key: lockedKey, passphrase: 'x' }, 'passphrase: it does not decrypt the key'],
  ['the key of another', { key: serverKey }, 'key: it is the key of another certificate, not of this one'],
  ['a certificate as the key', { key: certificate }, 'key: it is not a private key'],
  ['a chain', { certificate: `${certificate}${authority}` }, undefined],
  [
    'a chain that is cut off',
    { certificate: `${certificate}${authority.slice(0, 300)}` },
    'certificate: it or a certificate after it cannot be used for a connection',
  ],
  [
    'a chain with a broken part',
    { certificate: `${certificate}${authority.replace(/MII/, 'AII')}` },
    'certificate: it or a certificate after it cannot be used for a connection',
  ],
  ['a key as the certificate', { certificate: key }, 'certificate: it is no certificate'],
])('%s is checked before it is stored', (_, part, problem) => {
  const judge = () => requireUsable({ ...ours, ...part });
  if (problem === undefined) expect(judge).not.toThrow();
  else expect(judge).toThrow(`The client certificate cannot be used: ${problem}.`);
});

test.each<[string, string, boolean]>([
  ['one authority', authority, true],
  ['several', `# ours\n${authority}\n# theirs\n${certificate}`, true],
  ['a key', key, false],
  ['a certificate that is cut off', authority.slice(0, 300), false],
  ['one that is cut off after a good one', `${authority}${authority.slice(0, 300)}`, false],
  [
    'one whose end is missing between good ones',
    `${authority}${authority.slice(0, 300)}\n${authority}`,
    false,
  ],
  ['a great many that only begin', '-----BEGIN A-----'.repeat(100_000), false],
  ['two on one line', `${authority.trimEnd()}${certificate}`, false],
  ['a broken one after a good one', `${authority}${authority.replace(/MII/, 'AII')}`, false],
])('%s as the trusted authority is checked before it is stored', (_, serverCa, isUsable) => {
  const judge = () => requireConnectable({ serverCa });
  if (isUsable) expect(judge).not.toThrow();
  else expect(judge).toThrow('serverCa: it is not the certificates of whom to trust, as PEM.');
});

test('A certificate is shown with its subject and expiry only', () => {
  expect(certificateView(ours)).toEqual({
    subject: 'CN=ada',
    validTo: expect.stringMatching(/^2\d{3}-\d\d-\d\dT/),
  });
});

test('A certificate satisfies mutual TLS schemes, alone and together with other schemes', () => {
  const schemes = [
    { name: 'tls', type: 'mutualTls' as const },
    { name: 'token', type: 'http' as const, scheme: 'bearer' },
  ];
  const compose = (auth: SourceAuth, ...names: string[]) => {
    const composed = composeAuth({ auth, schemes }, [names.map((scheme) => ({ scheme }))]);
    return composed.type === 'ready' ? composed.auth : composed.type;
  };
  const alone: SourceAuth = { type: 'schemes', schemes: {}, certificate: ours };
  const both: SourceAuth = { type: 'bearer', token: 't', certificate: ours };
  expect(compose(alone, 'tls')).toEqual({ certificate: ours });
  expect(compose(alone, 'tls', 'token')).toBe('missing');
  expect(compose(both, 'tls', 'token')).toEqual({
    headers: { Authorization: 'Bearer t' },
    certificate: ours,
  });
  expect(compose({ type: 'bearer', token: 't' }, 'tls')).toBe('missing');
  // All operations use the same connection.
  expect(composeAuth({ auth: both, schemes }, [[]])).toEqual({ type: 'ready', auth: { certificate: ours } });
});

test('A certificate is set and removed without changing other credentials', () => {
  const security = [{ name: 'token', type: 'http' as const, scheme: 'bearer' }];
  const bearer: SourceAuth = { type: 'bearer', token: 't' };
  const named = { type: 'schemes', schemes: { token: 't' } };
  const both = authAfter({ auth: bearer, security }, { type: 'schemes', schemes: {}, certificate: ours });
  expect(both).toEqual({ ...named, certificate: ours });
  expect(authAfter({ auth: both, security }, { type: 'schemes', schemes: { token: 'u' } })).toEqual({
    type: 'schemes',
    schemes: { token: 'u' },
    certificate: ours,
  });
  expect(authAfter({ auth: both, security }, { type: 'schemes', schemes: {}, certificate: null })).toEqual(
    named,
  );
  // The other kinds of credentials replace everything.
  expect(authAfter({ auth: both, security }, bearer)).toEqual(bearer);
});

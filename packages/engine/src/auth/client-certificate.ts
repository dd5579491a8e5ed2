import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto';
import { createSecureContext } from 'node:tls';
import { type ClientCertificate, ExecutorError, type SourceAuth } from '@executor/protocol';
import type { Auth } from '../ports/source.ts';
import type { ChangeRequest, SourceRequest } from '../source/source-request.ts';

/** The client certificate of any kind of credentials. */
export function certificateOf(auth: SourceAuth): Pick<Auth, 'certificate'> {
  return auth.type === 'none' || auth.certificate === undefined ? {} : { certificate: auth.certificate };
}

/** Rejects certificates that no connection could use, before they are stored. A call would report the problem later and less clearly. */
export function requireConnectable({
  auth,
  serverCa,
}: Pick<SourceRequest | ChangeRequest, 'auth' | 'serverCa'>): void {
  if (auth !== undefined && auth.type !== 'none' && auth.certificate) requireUsable(auth.certificate);
  if (typeof serverCa === 'string') requireCertificates(serverCa);
}

export function requireUsable({ certificate, key, passphrase }: ClientCertificate): void {
  const leaf = orReject(() => new X509Certificate(certificate), 'certificate: it is no certificate');
  const secret = readKey(key, passphrase);
  if (!leaf.checkPrivateKey(secret))
    throw refused('key: it is the key of another certificate, not of this one');
  orReject(() => certificateView({ certificate }), 'certificate: it does not say until when it is valid');
  // Reads the rest of the chain too, as a connection does.
  orReject(
    () => createSecureContext({ cert: certificate, key, ...(passphrase !== undefined && { passphrase }) }),
    'certificate: it or a certificate after it cannot be used for a connection',
  );
}

/** A connection ignores certificates that it cannot read, and then trusts fewer authorities than the user expects. */
function requireCertificates(pem: string): void {
  if (!isCertificates(pem))
    throw new ExecutorError(
      'invalidRequest',
      'serverCa: it is not the certificates of whom to trust, as PEM.',
    );
}

/** Whether the text consists of one or more complete certificates. */
function isCertificates(pem: string): boolean {
  const blocks = pem.split(/^(?=-----BEGIN )/m).filter((block) => block.startsWith('-----BEGIN '));
  const begun = pem.split('-----BEGIN ').length - 1;
  try {
    for (const block of blocks) new X509Certificate(block);
    return begun > 0 && blocks.length === begun;
  } catch {
    return false;
  }
}

function readKey(key: string, passphrase: string | undefined): KeyObject {
  try {
    return createPrivateKey({ key, ...(passphrase !== undefined && { passphrase }) });
  } catch (error) {
    const isLocked = /ENCRYPTED/.test(key);
    if (isLocked && passphrase === undefined)
      throw refused('passphrase: the key is encrypted and needs one', error);
    throw refused(
      isLocked ? 'passphrase: it does not decrypt the key' : 'key: it is not a private key',
      error,
    );
  }
}

function orReject<T>(read: () => T, problem: string): T {
  try {
    return read();
  } catch (error) {
    throw refused(problem, error);
  }
}

/** The message does not include the cause, because it could contain parts of the key. */
function refused(problem: string, cause?: unknown): ExecutorError {
  return new ExecutorError('invalidRequest', `The client certificate cannot be used: ${problem}.`, { cause });
}

/** The public parts of a certificate: its subject and expiry. */
export function certificateView({ certificate }: Pick<ClientCertificate, 'certificate'>): {
  subject: string;
  validTo: string;
} {
  const { subject, validTo } = new X509Certificate(certificate);
  return {
    subject: subject.replaceAll('\n', ', ').slice(0, 300),
    validTo: new Date(validTo).toISOString(),
  };
}

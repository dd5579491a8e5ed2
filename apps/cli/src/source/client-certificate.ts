import { type ClientCertificate, ExecutorError } from '@executor/protocol';
import type { Environment } from '../environment.ts';
import { readSecret } from './secret.ts';

export interface CertificateOptions {
  clientCertificate?: string;
  clientKey?: string;
  clientKeyPassphrase?: string | true;
}

/** The client certificate of the options. Null removes it, undefined leaves it unchanged. */
export async function clientCertificateOf(
  environment: Environment,
  options: CertificateOptions,
): Promise<ClientCertificate | null | undefined> {
  const { clientCertificate: location, clientKey, clientKeyPassphrase } = options;
  if (location === undefined) {
    const [stray] = Object.entries({
      '--client-key': clientKey,
      '--client-key-passphrase': clientKeyPassphrase,
    }).find(([, value]) => value !== undefined) ?? [undefined];
    if (stray === undefined) return undefined;
    throw new ExecutorError('usage', `${stray} needs --client-certificate FILE.`);
  }
  if (location === 'none') return null;
  const certificate = await readPem(environment, 'the client certificate', location);
  return {
    certificate,
    key:
      clientKey === undefined
        ? keyIn(certificate)
        : await readPem(environment, 'the key of the certificate', clientKey),
    ...(clientKeyPassphrase !== undefined && {
      passphrase: await readSecret(environment, 'the passphrase of the key', clientKeyPassphrase),
    }),
  };
}

/** Certificate and key are often in one file. */
function keyIn(text: string): string {
  if (/-----BEGIN [A-Z ]*PRIVATE KEY-----/.test(text)) return text;
  throw new ExecutorError('usage', 'The certificate file has no private key. Pass --client-key FILE.');
}

/** Text without a prefix is a path, because nobody types PEM. */
export function readPem(environment: Environment, what: string, location: string): Promise<string> {
  return readSecret(
    environment,
    what,
    location === '-' || /^(env|file):/.test(location) ? location : `file:${location}`,
  );
}

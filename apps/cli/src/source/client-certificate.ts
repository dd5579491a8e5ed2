import { type ClientCertificate, ExecutorError } from '@executor/protocol';
import type { Environment } from '../environment.ts';
import { readSecret } from './secret.ts';

export interface CertificateOptions {
  clientCertificate?: string;
  clientKey?: string;
  clientKeyPassphrase?: string | true;
}

/** The client certificate that options tell of; null where there is to be none any more, undefined where they tell of none. */
export async function clientCertificateOf(
  environment: Environment,
  options: CertificateOptions,
): Promise<ClientCertificate | null | undefined> {
  const { clientCertificate: place, clientKey, clientKeyPassphrase } = options;
  if (place === undefined) {
    const [stray] = Object.entries({
      '--client-key': clientKey,
      '--client-key-passphrase': clientKeyPassphrase,
    }).find(([, value]) => value !== undefined) ?? [undefined];
    if (stray === undefined) return undefined;
    throw new ExecutorError('usage', `${stray} goes with --client-certificate FILE.`);
  }
  if (place === 'none') return null;
  const certificate = await readPem(environment, 'the client certificate', place);
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

/** Many keep both in one file. */
function keyIn(text: string): string {
  if (/-----BEGIN [A-Z ]*PRIVATE KEY-----/.test(text)) return text;
  throw new ExecutorError('usage', 'There is no private key beside the certificate: give --client-key FILE.');
}

/** A path by itself is one: nobody types PEM. */
export function readPem(environment: Environment, what: string, place: string): Promise<string> {
  return readSecret(environment, what, place === '-' || /^(env|file):/.test(place) ? place : `file:${place}`);
}

import { ExecutorError, type SourceAuth, type SourceChange } from '@executor/protocol';
import type { Environment } from '../environment.ts';
import { type CertificateOptions, clientCertificateOf } from './client-certificate.ts';
import { readSecret } from './secret.ts';

export interface CredentialOptions extends CertificateOptions {
  bearer?: string | true;
  bearerEnv?: string;
  basic?: string | true;
  basicEnv?: string;
  apiKey?: string;
  apiKeyFrom?: string;
  secretHeader?: string[];
  scheme?: string[];
  /** False removes the credentials. */
  auth?: boolean;
}

/** The credentials of the options. Undefined if the options name none. A certificate can be combined with any other kind. */
export async function credentialsOf(
  environment: Environment,
  options: CredentialOptions,
): Promise<SourceChange['auth']> {
  const certificate = await clientCertificateOf(environment, options);
  const auth = await valuesOf(environment, options);
  if (certificate === undefined) return auth;
  if (auth?.type === 'none')
    throw new ExecutorError('usage', '--no-auth also deletes the certificate. Pass one of them.');
  return auth ? { ...auth, certificate } : { type: 'schemes', schemes: {}, certificate };
}

async function valuesOf(
  environment: Environment,
  options: CredentialOptions,
): Promise<SourceAuth | undefined> {
  const bearer = options.bearer ?? (options.bearerEnv && `env:${options.bearerEnv}`);
  const basic = options.basic ?? (options.basicEnv && `env:${options.basicEnv}`);
  const { apiKey, apiKeyFrom, secretHeader, scheme, auth } = options;
  const kinds = [bearer, basic, apiKey, secretHeader, scheme, auth === false || undefined];
  if (kinds.filter((value) => value !== undefined).length > 1) {
    throw new ExecutorError(
      'usage',
      'Pass one kind of credentials: --bearer, --basic, --api-key, --secret-header or --scheme. For several schemes of a document, repeat --scheme NAME.',
    );
  }
  if (auth === false) return { type: 'none' };
  if (bearer !== undefined)
    return { type: 'bearer', token: await readSecret(environment, 'the token', bearer) };
  if (basic !== undefined)
    return { type: 'basic', ...loginOf(await readSecret(environment, 'user:password', basic)) };
  if (apiKey !== undefined) return keyAt(environment, apiKey, apiKeyFrom ?? true);
  if (secretHeader)
    return { type: 'headers', headers: await namedSecrets(environment, secretHeader, 'the header') };
  if (scheme) return { type: 'schemes', schemes: await namedSecrets(environment, scheme, 'the scheme') };
  return undefined;
}

function loginOf(pair: string): { username: string; password: string } {
  const [, username, password] = /^([^:]*):(.*)$/s.exec(pair) ?? [];
  if (username === undefined || password === undefined)
    throw new ExecutorError('usage', 'A user name and password must be user:password.');
  return { username, password };
}

async function keyAt(environment: Environment, location: string, from: string | true): Promise<SourceAuth> {
  const [, where, name] = /^(header|query|cookie):(.+)$/s.exec(location) ?? [];
  if (where === undefined || name === undefined) {
    throw new ExecutorError(
      'usage',
      `--api-key must be header:NAME, query:NAME or cookie:NAME, got "${location}".`,
    );
  }
  const value = await readSecret(environment, `the key for ${name}`, from);
  return { type: 'apiKey', in: where as 'header' | 'query' | 'cookie', name, value };
}

/** One after the other, because each may prompt. */
export async function namedSecrets(
  environment: Environment,
  words: string[],
  what: string,
): Promise<Record<string, string>> {
  const secrets: [string, string][] = [];
  for (const word of words) {
    const [, name = word, from] = /^([^=]+)=(.+)$/s.exec(word) ?? [];
    secrets.push([name, await readSecret(environment, `${what} ${name}`, from ?? true)]);
  }
  return Object.fromEntries(secrets);
}

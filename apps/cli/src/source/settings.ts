import { ExecutorError, type NewSource, type SourceChange } from '@executor/protocol';
import type { Environment } from '../environment.ts';
import { readPem } from './client-certificate.ts';
import { type CredentialOptions, credentialsOf, namedSecrets } from './credentials.ts';

export interface SettingOptions extends CredentialOptions {
  name?: string;
  transport?: 'http' | 'sse' | 'stdio';
  cwd?: string;
  env?: string[];
  baseUrl?: string;
  serverVariable?: string[];
  header?: string[];
  approveReads?: 'auto' | 'required';
  approveWrites?: 'auto' | 'required';
  allowPrivateNetwork?: boolean;
  allowExternalReferences?: string | boolean;
  serverCa?: string;
  timeout?: string;
  maxResponse?: string;
  json?: boolean;
}

type Settings = Pick<
  SourceChange,
  | 'name'
  | 'transport'
  | 'cwd'
  | 'env'
  | 'serverVariables'
  | 'headers'
  | 'auth'
  | 'approval'
  | 'allowPrivateNetwork'
  | 'externalReferences'
  | 'serverCa'
  | 'timeoutMs'
  | 'maxResponseBytes'
>;

/** The settings of the options, for the server. `none` restores the default. */
export async function settingsOf(environment: Environment, options: SettingOptions): Promise<Settings> {
  const { transport, cwd, env } = options;
  const { name, serverVariable, header, approveReads, approveWrites, allowPrivateNetwork } = options;
  const { allowExternalReferences: references, serverCa, timeout, maxResponse } = options;
  const auth = await credentialsOf(environment, options);
  return {
    ...(name !== undefined && { name }),
    ...(transport !== undefined && { transport }),
    ...(cwd !== undefined && { cwd: cwd === 'none' ? null : environment.path(cwd) }),
    ...(env && { env: isNone(env) ? null : await namedSecrets(environment, env, 'the variable') }),
    ...(serverVariable && {
      serverVariables: isNone(serverVariable)
        ? {}
        : pairs(serverVariable, '=', '--server-variable NAME=VALUE'),
    }),
    ...(header && { headers: isNone(header) ? {} : pairs(header, ':', '--header NAME:VALUE') }),
    ...(auth && { auth }),
    ...((approveReads ?? approveWrites) && {
      approval: {
        ...(approveReads && { read: approveReads }),
        ...(approveWrites && { write: approveWrites }),
      },
    }),
    ...(allowPrivateNetwork !== undefined && { allowPrivateNetwork }),
    ...(references !== undefined && {
      externalReferences:
        typeof references === 'boolean' ? references : references.split(',').map((host) => host.trim()),
    }),
    ...(serverCa !== undefined && {
      serverCa:
        serverCa === 'none' ? null : await readPem(environment, 'the certificates to trust', serverCa),
    }),
    ...(timeout !== undefined && { timeoutMs: timeout === 'none' ? null : milliseconds(timeout) }),
    ...(maxResponse !== undefined && {
      maxResponseBytes: maxResponse === 'none' ? null : bytes(maxResponse),
    }),
  };
}

/** The same for a new source, which has no settings to remove. */
export async function newSettingsOf(
  environment: Environment,
  options: SettingOptions,
): Promise<Partial<NewSource>> {
  if (options.clientCertificate === 'none')
    throw new ExecutorError('usage', 'A new source has no client certificate to remove.');
  const settings = Object.entries(await settingsOf(environment, options)).filter(
    ([, value]) => value !== null,
  );
  return Object.fromEntries(settings);
}

function isNone(words: string[]): boolean {
  return words.length === 1 && words[0] === 'none';
}

export function pairs(words: string[], separator: string, form: string): Record<string, string> {
  return Object.fromEntries(
    words.map((word) => {
      const at = word.indexOf(separator);
      if (at < 1) throw new ExecutorError('usage', `The form is ${form}, got "${word}".`);
      return [word.slice(0, at).trim(), word.slice(at + 1).trim()];
    }),
  );
}

function milliseconds(timeout: string): number {
  const seconds = Number(timeout);
  if (timeout.trim() !== '' && seconds > 0 && Number.isFinite(seconds)) return Math.round(seconds * 1_000);
  throw new ExecutorError('usage', `--timeout must be seconds or none, got "${timeout}".`);
}

const units: Record<string, number> = { '': 1, k: 1024, m: 1024 ** 2, g: 1024 ** 3 };

function bytes(size: string): number {
  const [, number = '', unit = ''] = /^(\d+(?:\.\d+)?)\s*([kmg]?)i?b?$/i.exec(size.trim()) ?? [];
  const value = Math.round(Number(number) * (units[unit.toLowerCase()] ?? 1));
  if (number !== '' && value >= 1) return value;
  throw new ExecutorError(
    'usage',
    `--max-response must be bytes, such as 5000000 or 50M, or none, got "${size}".`,
  );
}

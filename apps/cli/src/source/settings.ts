import { ExecutorError, type NewSource } from '@executor/protocol';
import { type CredentialOptions, credentialsOf } from './credentials.ts';

export interface SettingOptions extends CredentialOptions {
  name?: string;
  baseUrl?: string;
  serverVariable?: string[];
  header?: string[];
  approveReads?: 'auto' | 'required';
  approveWrites?: 'auto' | 'required';
  allowPrivateNetwork?: boolean;
  allowExternalReferences?: string | true;
  timeout?: string;
  json?: boolean;
}

type Settings = Pick<
  NewSource,
  | 'name'
  | 'serverVariables'
  | 'headers'
  | 'auth'
  | 'approval'
  | 'allowPrivateNetwork'
  | 'externalReferences'
  | 'timeoutMs'
>;

/** What `add` and `edit` have in common, as the server takes it. */
export async function settingsOf(options: SettingOptions): Promise<Settings> {
  const { name, serverVariable, header, approveReads, approveWrites, allowPrivateNetwork, timeout } = options;
  const references = options.allowExternalReferences;
  const auth = await credentialsOf(options);
  return {
    ...(name !== undefined && { name }),
    ...(serverVariable && { serverVariables: pairs(serverVariable, '=', '--server-variable NAME=VALUE') }),
    ...(header && { headers: pairs(header, ':', '--header NAME:VALUE') }),
    ...(auth && { auth }),
    ...((approveReads ?? approveWrites) && {
      approval: {
        ...(approveReads && { read: approveReads }),
        ...(approveWrites && { write: approveWrites }),
      },
    }),
    ...(allowPrivateNetwork !== undefined && { allowPrivateNetwork }),
    ...(references !== undefined && {
      externalReferences: references === true ? true : references.split(',').map((host) => host.trim()),
    }),
    ...(timeout !== undefined && { timeoutMs: milliseconds(timeout) }),
  };
}

export function pairs(words: string[], separator: string, form: string): Record<string, string> {
  return Object.fromEntries(
    words.map((word) => {
      const at = word.indexOf(separator);
      if (at < 1) throw new ExecutorError('usage', `It is ${form}, got "${word}".`);
      return [word.slice(0, at).trim(), word.slice(at + 1).trim()];
    }),
  );
}

function milliseconds(timeout: string): number {
  const seconds = Number(timeout);
  if (timeout.trim() !== '' && seconds > 0 && Number.isFinite(seconds)) return Math.round(seconds * 1_000);
  throw new ExecutorError('usage', `--timeout takes seconds, got "${timeout}".`);
}

import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { type DocumentFiles, ExecutorError } from '@executor/protocol';
import type { Environment } from '../environment.ts';

interface DocumentText {
  document: string;
  files?: DocumentFiles;
}

/** Resolves an argument: a URL, or the text of a file or of standard input. */
export async function readLocation(
  environment: Environment,
  location: string,
): Promise<{ url: string } | DocumentText> {
  if (isUrl(location)) return { url: location };
  return readDocument(environment, location);
}

export function isUrl(location: string): boolean {
  return /^https?:\/\//i.test(location);
}

export function isFile(environment: Environment, location: string): boolean {
  return existsSync(environment.path(location));
}

export async function readDocument(environment: Environment, location: string): Promise<DocumentText> {
  const isPiped = location === '-';
  const document = isPiped ? await environment.readInput() : await readText(environment, location);
  const files = isPiped ? undefined : await filesBeside(environment.path(location), document);
  if (document.trim() !== '') return { document, ...(files && { files }) };
  throw new ExecutorError('usage', `${location === '-' ? 'Standard input' : location} is empty.`);
}

async function readText(environment: Environment, path: string): Promise<string> {
  try {
    return await readFile(environment.path(path), 'utf8');
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    const reason = code === 'ENOENT' ? 'there is no such file' : code === 'EISDIR' ? 'it is a folder' : code;
    const hint = code === 'ENOENT' ? addressHint(path) : '';
    throw new ExecutorError('usage', `Cannot read ${path}: ${reason}.${hint}`, { cause });
  }
}

/** Loads the YAML reader only for documents with references. */
async function filesBeside(path: string, text: string): Promise<DocumentFiles | undefined> {
  return text.includes('$ref') ? (await import('./collect-files.ts')).collectFiles(path, text) : undefined;
}

/** Suggests a URL if the missing file looks like a host name. A name with a file extension and no path is a file. */
function addressHint(path: string): string {
  const [, host = '', port, rest] = /^([\w-]+(?:\.[\w-]+)+|localhost)(:\d+)?(\/|$)/.exec(path) ?? [];
  const isFile = port === undefined && rest === '' && /\.(json|ya?ml|txt)$/i.test(host);
  if (host === '' || isFile || (host === 'localhost' && port === undefined)) return '';
  const isHere = /^(localhost|127\.[\d.]+|10\.[\d.]+|192\.168\.[\d.]+)$/.test(host);
  return ` Did you mean ${isHere ? 'http' : 'https'}://${path}?`;
}

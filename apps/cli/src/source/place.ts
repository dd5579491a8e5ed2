import { readFile } from 'node:fs/promises';
import { type DocumentFiles, ExecutorError } from '@executor/protocol';
import type { Environment } from '../environment.ts';

interface GivenText {
  document: string;
  files?: DocumentFiles;
}

/** What was named: an address, or the text of a file or of standard input. */
export async function readPlace(
  environment: Environment,
  place: string,
): Promise<{ url: string } | GivenText> {
  if (/^https?:\/\//i.test(place)) return { url: place };
  return readDocument(environment, place);
}

export async function readDocument(environment: Environment, place: string): Promise<GivenText> {
  const isPiped = place === '-';
  const document = isPiped ? await environment.readInput() : await readText(environment, place);
  const files = isPiped ? undefined : await filesBeside(environment.path(place), document);
  if (document.trim() !== '') return { document, ...(files && { files }) };
  throw new ExecutorError('usage', `${place === '-' ? 'What was piped in' : place} is empty.`);
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

/** What reads YAML is seldom needed here. */
async function filesBeside(path: string, text: string): Promise<DocumentFiles | undefined> {
  return text.includes('$ref') ? (await import('./collect-files.ts')).collectFiles(path, text) : undefined;
}

/** What has no scheme may be an address all the same; what ends like a file is one, unless a path follows. */
function addressHint(path: string): string {
  const [, host = '', port, rest] = /^([\w-]+(?:\.[\w-]+)+|localhost)(:\d+)?(\/|$)/.exec(path) ?? [];
  const isFile = port === undefined && rest === '' && /\.(json|ya?ml|txt)$/i.test(host);
  if (host === '' || isFile || (host === 'localhost' && port === undefined)) return '';
  const isHere = /^(localhost|127\.[\d.]+|10\.[\d.]+|192\.168\.[\d.]+)$/.test(host);
  return ` Did you mean ${isHere ? 'http' : 'https'}://${path}?`;
}

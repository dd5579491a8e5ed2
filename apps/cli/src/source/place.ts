import { readFile } from 'node:fs/promises';
import { text as textOf } from 'node:stream/consumers';
import { type DocumentFiles, ExecutorError } from '@executor/protocol';

interface GivenText {
  document: string;
  files?: DocumentFiles;
}

/** What was named: an address, or the text of a file or of standard input. */
export async function readPlace(place: string): Promise<{ url: string } | GivenText> {
  if (/^https?:\/\//i.test(place)) return { url: place };
  return readDocument(place);
}

export async function readDocument(place: string): Promise<GivenText> {
  const isPiped = place === '-';
  const document = isPiped ? await textOf(process.stdin) : await readText(place);
  const files = isPiped ? undefined : await filesBeside(place, document);
  if (document.trim() !== '') return { document, ...(files && { files }) };
  throw new ExecutorError('usage', `${place === '-' ? 'What was piped in' : place} is empty.`);
}

async function readText(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
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

import { readFile } from 'node:fs/promises';
import { text as textOf } from 'node:stream/consumers';
import { ExecutorError } from '@executor/protocol';

/** What was named: an address, or the text of a file or of standard input. */
export async function readPlace(place: string): Promise<{ url: string } | { document: string }> {
  if (/^https?:\/\//i.test(place)) return { url: place };
  return { document: await readDocument(place) };
}

export async function readDocument(place: string): Promise<string> {
  const document = place === '-' ? await textOf(process.stdin) : await readText(place);
  if (document.trim() !== '') return document;
  throw new ExecutorError('usage', `${place === '-' ? 'What was piped in' : place} is empty.`);
}

async function readText(path: string): Promise<string> {
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    const reason = code === 'ENOENT' ? 'there is no such file' : code === 'EISDIR' ? 'it is a folder' : code;
    const hint =
      code === 'ENOENT' && /^[\w-]+(\.[\w-]+)+(:\d+)?(\/|$)/.test(path)
        ? ` Did you mean https://${path}?`
        : '';
    throw new ExecutorError('usage', `Cannot read ${path}: ${reason}.${hint}`, { cause });
  }
  // What reads YAML is seldom needed here.
  return text.includes('$ref') ? (await import('./bundle-files.ts')).bundleFiles(path, text) : text;
}

import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { SourceFile } from '@executor/engine';

/** Uploaded files have no URL, so references between them are resolved against a made-up base URL. */
const root = 'file:///';
const pieceBytes = 256 * 1024;
const compress = promisify(gzip);

export function fileAddress(name: string): string {
  return new URL(name.split('/').map(encodeURIComponent).join('/'), root).href;
}

/** Normalises percent-encoding, so that every reference to a file gives the same URL. */
export function oneAddress(url: string): string {
  const name = fileNameOf(url);
  return name === undefined ? url : fileAddress(name);
}

/** The file name that a reference points to; undefined if it cannot be an uploaded file. */
export function fileNameOf(url: string): string | undefined {
  if (!url.startsWith(root)) return undefined;
  try {
    return decodeURIComponent(url.slice(root.length));
  } catch {
    return undefined;
  }
}

/** The form in which the file is stored. */
export async function keepFile(name: string, content: Uint8Array): Promise<SourceFile> {
  const hash = createHash('sha256').update(content).digest('hex');
  const packed = await compress(content, { level: 4 });
  const pieces: Uint8Array[] = [];
  for (let at = 0; at < packed.length; at += pieceBytes) pieces.push(packed.subarray(at, at + pieceBytes));
  return { name, bytes: content.length, hash, pieces };
}

import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { SourceFile } from '@executor/engine';

/** Base URL for references between uploaded files, which have no URL of their own. */
const root = 'file:///';
const pieceBytes = 256 * 1024;
const compress = promisify(gzip);

export function fileUrl(name: string): string {
  return new URL(name.split('/').map(encodeURIComponent).join('/'), root).href;
}

/** Normalises the percent-encoding of a file URL, so that all references to a file give the same URL. */
export function normaliseUrl(url: string): string {
  const name = fileNameOf(url);
  return name === undefined ? url : fileUrl(name);
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

/** Compresses a file for storage. */
export async function packFile(name: string, content: Uint8Array): Promise<SourceFile> {
  const hash = createHash('sha256').update(content).digest('hex');
  const packed = await compress(content, { level: 4 });
  const pieces: Uint8Array[] = [];
  for (let at = 0; at < packed.length; at += pieceBytes) pieces.push(packed.subarray(at, at + pieceBytes));
  return { name, bytes: content.length, hash, pieces };
}

import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { SourceFile } from '@executor/engine';

/** References between files that were handed over are relative to addresses that are nowhere. */
const root = 'file:///';
const pieceBytes = 256 * 1024;
const compress = promisify(gzip);

export function fileAddress(name: string): string {
  return new URL(name.split('/').map(encodeURIComponent).join('/'), root).href;
}

/** Of two references to one file, one may encode what the other does not: a file has one address all the same. */
export function oneAddress(url: string): string {
  const name = fileNameOf(url);
  return name === undefined ? url : fileAddress(name);
}

/** The name of the file that a reference means; undefined where it means none that could be there. */
export function fileNameOf(url: string): string | undefined {
  if (!url.startsWith(root)) return undefined;
  try {
    return decodeURIComponent(url.slice(root.length));
  } catch {
    return undefined;
  }
}

/** As it is kept. */
export async function keepFile(name: string, content: Uint8Array): Promise<SourceFile> {
  const hash = createHash('sha256').update(content).digest('hex');
  const packed = await compress(content, { level: 4 });
  const pieces: Uint8Array[] = [];
  for (let at = 0; at < packed.length; at += pieceBytes) pieces.push(packed.subarray(at, at + pieceBytes));
  return { name, bytes: content.length, hash, pieces };
}

import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import type { DocumentFiles } from '@executor/protocol';
import type { LoadedSource } from '../../ports/source.ts';
import type { KeptDocument, SourceRow, SourceStore } from '../../ports/source-store.ts';

/*
 * A document is one text or several: files that were handed over together, or what it refers to at other addresses. All of them are kept as
 * they were. Only what was handed over is read again from what is kept.
 */

/** What the row keeps of a document that was read. */
export function keptDocument({ document }: LoadedSource): KeptDocument | null {
  if (document === undefined) return null;
  const { mediaType, bytes, hash, name, files = [] } = document;
  return {
    mediaType,
    bytes,
    hash,
    ...(name !== undefined && { name }),
    ...(files.length > 0 && {
      files: files.map((file) => ({
        name: file.name,
        bytes: file.bytes,
        hash: file.hash,
        pieces: file.pieces.length,
      })),
    }),
  };
}

/** Whether a document that is handed over is the one that is there, and so are the files beside it. */
export function isSameText(
  { document: kept }: Pick<SourceRow, 'document'>,
  { document, files }: { document?: string | undefined; files?: DocumentFiles | undefined },
): boolean {
  if (document === undefined || kept?.hash !== hashOf(document)) return false;
  // References are relative to where it is.
  if (files !== undefined && kept.name !== files.main) return false;
  const there = new Map(handedOver(kept).map(({ name, hash }) => [name, hash]));
  const texts = Object.entries(files?.others ?? {});
  return there.size === texts.length && texts.every(([name, text]) => there.get(name) === hashOf(text));
}

/** What was fetched from an address is named by it; no file is called so, as no folder is without a name. */
function handedOver({ files = [] }: KeptDocument): NonNullable<KeptDocument['files']> {
  return files.filter(({ name }) => !/^https?:\/\//i.test(name));
}

/** Of one file, which pieces of all it has; undefined where there is no such file. */
export function piecesOf(
  { files = [] }: KeptDocument,
  name: string,
): { from: number; count: number } | undefined {
  let from = 0;
  for (const file of files) {
    if (file.name === name) return { from, count: file.pieces };
    from += file.pieces;
  }
  return undefined;
}

const inflate = promisify(gunzip);

/** A document that was handed over, as it was. */
export async function storedText(
  store: Pick<SourceStore, 'readDocument' | 'readFiles'>,
  { contentId, document }: SourceRow,
): Promise<{ document: string; files?: DocumentFiles }> {
  const text = await textOf(store.readDocument(contentId));
  if (document?.name === undefined) return { document: text };
  const others: [string, string][] = [];
  for (const { name } of handedOver(document)) {
    const range = piecesOf(document, name);
    if (range) others.push([name, await textOf(store.readFiles(contentId, range))]);
  }
  return { document: text, files: { main: document.name, others: Object.fromEntries(others) } };
}

async function textOf(pieces: AsyncIterable<Uint8Array>): Promise<string> {
  const all: Uint8Array[] = [];
  for await (const piece of pieces) all.push(piece);
  return (await inflate(Buffer.concat(all))).toString();
}

/** The hash of a document, as it is stored. */
export function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

import { createHash } from 'node:crypto';
import { isDeepStrictEqual, promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import type { DocumentFiles } from '@executor/protocol';
import type { LoadedSource } from '../../ports/source.ts';
import type { KeptDocument, SourceRow, SourceStore } from '../../ports/source-store.ts';
import { type SourceRequest, settingsOf } from '../source-request.ts';

/*
 * A document has one file or several: files that the user handed over together, or documents at other URLs that it references. Executor
 * stores all of them unchanged, and reads only the files that were handed over from its own copy again.
 */

/** The part of a document that its row stores. */
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

/** Whether a source was made from a request like this: for the same URL, the same document, or else with the same settings. */
export function isSameRequest(row: SourceRow, request: SourceRequest): boolean {
  const { kind, url, document } = request;
  if (kind !== undefined && kind !== row.kind) return false;
  if (url !== undefined) return hasUrl(row, url);
  if (document !== undefined) return isSameText(row, request);
  const { allowPrivateNetwork: _, allowThisMachine: __, ...settings } = row.settings;
  const { allowPrivateNetwork: ___, ...entered } = settingsOf(request);
  return row.document === null && isDeepStrictEqual(settings, entered);
}

export function hasUrl({ settings, provenance }: SourceRow, url: string): boolean {
  return settings.url === url || provenance.url === url;
}

/** Whether a document that is handed over equals the stored one, including its other files. */
export function isSameText(
  { document: kept }: Pick<SourceRow, 'document'>,
  { document, files }: { document?: string | undefined; files?: DocumentFiles | undefined },
): boolean {
  if (document === undefined || kept?.hash !== hashOf(document)) return false;
  // References are relative to the main file.
  if (files !== undefined && kept.name !== files.main) return false;
  const stored = new Map(localFiles(kept).map(({ name, hash }) => [name, hash]));
  const texts = Object.entries(files?.others ?? {});
  return stored.size === texts.length && texts.every(([name, text]) => stored.get(name) === hashOf(text));
}

/** The files that were handed over. Fetched files have URLs as names, which no path can equal: no folder has an empty name. */
function localFiles({ files = [] }: KeptDocument): NonNullable<KeptDocument['files']> {
  return files.filter(({ name }) => !/^https?:\/\//i.test(name));
}

/** The range of a file's pieces among those of all files; undefined if there is no such file. */
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

/** The text of a document that was handed over, with its other files. */
export async function storedText(
  store: Pick<SourceStore, 'readDocument' | 'readFiles'>,
  { contentId, document }: SourceRow,
): Promise<{ document: string; files?: DocumentFiles }> {
  const text = await textOf(store.readDocument(contentId));
  if (document?.name === undefined) return { document: text };
  const others: [string, string][] = [];
  for (const { name } of localFiles(document)) {
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

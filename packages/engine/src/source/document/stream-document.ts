import { ExecutorError, nearest } from '@executor/protocol';
import type { KeptDocument, SourceRow, SourceStore } from '../../ports/source-store.ts';
import { piecesOf } from './source-files.ts';

export interface SourceDocumentStream {
  mediaType: string;
  name: string;
  bytes: number;
  /** The gzip-compressed text. */
  pieces: AsyncIterable<Uint8Array>;
}

/** Streams the main file of a source's document, or the file with that name. */
export function streamDocument(
  { contentId, document, namespace }: Pick<SourceRow, 'contentId' | 'document' | 'namespace'>,
  file: string | undefined,
  store: Pick<SourceStore, 'readDocument' | 'readFiles'>,
): SourceDocumentStream {
  if (document === null)
    throw new ExecutorError('notFound', `The source ${namespace} has no document: it was not made from one.`);
  if (file !== undefined && file !== document.name)
    return streamFile({ contentId, document, namespace }, file, store);
  const { mediaType, bytes } = document;
  const extension = /yaml/.test(mediaType) ? 'yaml' : 'json';
  return { mediaType, bytes, name: `${namespace}.${extension}`, pieces: store.readDocument(contentId) };
}

function streamFile(
  { contentId, document, namespace }: { contentId: string; document: KeptDocument; namespace: string },
  name: string,
  store: Pick<SourceStore, 'readFiles'>,
): SourceDocumentStream {
  const range = piecesOf(document, name);
  const file = document.files?.find((one) => one.name === name);
  if (range === undefined || file === undefined) throw noSuchFile(namespace, document, name);
  return {
    mediaType: /\.ya?ml$/i.test(name) ? 'application/yaml' : 'application/json',
    bytes: file.bytes,
    name: name.split('/').at(-1) ?? name,
    pieces: store.readFiles(contentId, range),
  };
}

function noSuchFile(namespace: string, { files = [] }: KeptDocument, name: string): ExecutorError {
  const names = files.map((file) => file.name);
  const similar = nearest(name, names);
  const hint = similar === undefined ? '' : ` Did you mean "${similar}"?`;
  const all =
    names.length === 0 ? 'It is one file.' : `\`executor sources document ${namespace} --files\` lists them.`;
  return new ExecutorError('notFound', `The document of ${namespace} has no file "${name}".${hint} ${all}`);
}

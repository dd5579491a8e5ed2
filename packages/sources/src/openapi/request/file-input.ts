import type { NewArtifact } from '@executor/engine';
import { RequestError } from '../../call/request-error.ts';
import type { FileInput } from '../operation.ts';

/** A file of an input before its bytes are read. */
export interface FilePart {
  content: { text: string } | { base64: string } | { artifact: string };
  name?: string;
  mediaType?: string;
}

export interface FileBytes {
  bytes: Uint8Array;
  name?: string;
  mediaType?: string;
}

/** The artifacts of a call, by id. */
export type Artifacts = ReadonlyMap<string, NewArtifact>;

export function toFilePart(value: unknown, field: string): FilePart {
  if (typeof value === 'string') return { content: { text: value } };
  if (typeof value !== 'object' || value === null) return { content: { text: String(value) } };
  const { name, mediaType } = value as { name?: unknown; mediaType?: unknown };
  const file = value as Exclude<FileInput, string>;
  const metadata = {
    ...(typeof name === 'string' && { name }),
    ...(typeof mediaType === 'string' && { mediaType: checkMediaType(mediaType, field) }),
  };
  if ('text' in file && typeof file.text === 'string') return { content: { text: file.text }, ...metadata };
  if ('base64' in file && typeof file.base64 === 'string')
    return { content: { base64: file.base64 }, ...metadata };
  if ('artifact' in file && typeof file.artifact === 'string')
    return { content: { artifact: file.artifact }, ...metadata };
  throw new RequestError(
    `${field} must be a file: text, or an object with text, base64 or artifact, and optionally name and mediaType.`,
  );
}

export function fileBytes({ content, name, mediaType }: FilePart, artifacts: Artifacts): FileBytes {
  const metadata = { ...(name !== undefined && { name }), ...(mediaType !== undefined && { mediaType }) };
  if ('text' in content) return { bytes: Buffer.from(content.text), ...metadata };
  if ('base64' in content) return { bytes: bytesOf(content.base64), ...metadata };
  const artifact = artifacts.get(content.artifact);
  if (artifact === undefined) throw noSuchArtifact(content.artifact);
  const { bytes, mediaType: stored, ...others } = artifact;
  return { bytes, ...others, ...(isMediaType(stored) && { mediaType: stored }), ...metadata };
}

export const anyBytes = 'application/octet-stream';

/**
 * The media type of a file: the caller's, else the artifact's, else the document's, else one for text or bytes. A generic
 * `application/octet-stream` does not count.
 */
export function sentType(
  file: FilePart,
  declared: string | undefined,
  artifact?: { mediaType?: string },
): string {
  const ownType = [file.mediaType, artifact?.mediaType].find(
    (type) => type !== undefined && type !== anyBytes,
  );
  return ownType ?? declared ?? ('text' in file.content ? 'text/plain; charset=utf-8' : anyBytes);
}

export function sentName({ name }: FilePart, artifact?: { name?: string }): string {
  return name ?? artifact?.name ?? 'file';
}

export function noSuchArtifact(id: string): RequestError {
  return new RequestError(`This run has no artifact ${id}. Use the id of an artifact that this run stored.`);
}

function bytesOf(base64: string): Uint8Array {
  checkBase64(base64);
  return Buffer.from(base64, 'base64');
}

/** Line breaks are allowed. */
export function checkBase64(base64: string): void {
  if (!/^[\w+/\s-]*(?:=\s*){0,2}$/.test(base64))
    throw new RequestError('The base64 of a file is not valid. Encode the bytes again.');
}

function checkMediaType(mediaType: string, field: string): string {
  if (isMediaType(mediaType)) return mediaType;
  throw new RequestError(`The mediaType of ${field} must be like image/png.`);
}

/** The type of an artifact was chosen by a server or by code. An invalid one could add headers, and Rack reads a body without a type as a form. */
function isMediaType(text: string): boolean {
  return /^[\w!#$&^.+-]+\/[\w!#$&^.+-]+(\s*;\s*[\w!#$&^.+-]+=("[^"\\\r\n]*"|[\w!#$&^.+:/-]+))*$/.test(text);
}

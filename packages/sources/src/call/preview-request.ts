import { createHash } from 'node:crypto';
import type { Preview } from '@executor/engine';
import type { PlannedRequest } from '../openapi/request/build-request.ts';
import { anyBytes, type FilePart, sentName, sentType } from '../openapi/request/file-input.ts';
import { jsonText } from '../openapi/request/integer-text.ts';
import { boundaryOf, type MultipartPart } from '../openapi/request/multipart-body.ts';
import { parseJson } from '../response/parse-json.ts';
import { RequestError } from './request-error.ts';

/** Longer text is shown by its length and hash. */
const maxShownChars = 16 * 1024;

/** The request as a reviewer sees it before approval. Credentials are added later. */
export function previewRequest(request: PlannedRequest): Preview {
  const url = new URL(request.shownUrl);
  url.username = '';
  url.password = '';
  const { method } = request;
  const headers = shownHeaders(request);
  const shortened: Shortened = { is: false };
  const body = request.body && { body: showBody(request.body, headers, shortened) };
  return { method, url: url.href, headers, ...body, ...(shortened.is && { shortened: true }) };
}

/** Whether any part of a body is shown only by length and hash, or by name. */
interface Shortened {
  is: boolean;
}

/** The type of an artifact is unknown until it is read. */
function shownHeaders({ headers, body }: PlannedRequest): Record<string, string> {
  if (body?.type === 'multipart')
    return { ...headers, 'content-type': `${body.mediaType}; boundary=${boundaryOf(body.parts)}` };
  const isUnknown =
    body?.type === 'file' && 'artifact' in body.file.content && headers['content-type'] === anyBytes;
  return isUnknown
    ? { ...headers, 'content-type': `(the artifact's type; ${anyBytes} if unknown)` }
    : headers;
}

/** The preview of a request that cannot be built. */
export function previewProblem(error: unknown): Preview {
  if (!(error instanceof RequestError)) throw error;
  return { problem: error.message };
}

function showBody(
  body: NonNullable<PlannedRequest['body']>,
  headers: Record<string, string>,
  shortened: Shortened,
): unknown {
  switch (body.type) {
    case 'json': {
      const text = jsonText(body.value);
      return text.length > maxShownChars ? summarise(text, body.mediaType, shortened) : parseJson(text);
    }
    case 'text':
      return showText(body.text, body.mediaType, shortened);
    case 'file':
      return showFile(body.file, { mediaType: headers['content-type'] ?? body.mediaType }, shortened);
    case 'multipart':
      return { parts: body.parts.map((part) => showPart(part, shortened)) };
  }
}

function showPart({ name, headers, mediaType, content }: MultipartPart, shortened: Shortened): unknown {
  const extra = Object.keys(headers).length > 0 && { headers };
  if ('file' in content)
    return { name, ...extra, file: showFile(content.file, fileMetadata(content.file, mediaType), shortened) };
  const metadata = { name, ...(mediaType !== undefined && { mediaType }), ...extra };
  return { ...metadata, value: showText(content.text, mediaType ?? 'text/plain', shortened) };
}

function fileMetadata(file: FilePart, declared: string | undefined): { name: string; mediaType: string } {
  const [name, mediaType] = [sentName(file), sentType(file, declared)];
  if (!('artifact' in file.content)) return { name, mediaType };
  const hasOwnType = file.mediaType !== undefined && file.mediaType !== anyBytes;
  return {
    name: file.name ?? `(the artifact's name; ${name} if it has none)`,
    mediaType: hasOwnType ? mediaType : `(the artifact's type; ${mediaType} if unknown)`,
  };
}

function showFile(
  { content }: FilePart,
  metadata: { name?: string; mediaType: string },
  shortened: Shortened,
): unknown {
  if ('artifact' in content) {
    shortened.is = true;
    return { ...metadata, artifact: content.artifact };
  }
  if ('text' in content) {
    const shown = showText(content.text, metadata.mediaType, shortened);
    return typeof shown === 'string' ? { ...metadata, text: shown } : { ...metadata, ...(shown as object) };
  }
  return { ...metadata, ...summarise(Buffer.from(content.base64, 'base64'), metadata.mediaType, shortened) };
}

function showText(text: string, mediaType: string, shortened: Shortened): unknown {
  return text.length > maxShownChars ? summarise(text, mediaType, shortened) : text;
}

function summarise(
  bytes: string | Uint8Array,
  mediaType: string,
  shortened: Shortened,
): { bytes: number; mediaType: string; sha256: string } {
  shortened.is = true;
  return {
    bytes: Buffer.byteLength(bytes),
    mediaType,
    sha256: createHash('sha256').update(bytes).digest('hex'),
  };
}

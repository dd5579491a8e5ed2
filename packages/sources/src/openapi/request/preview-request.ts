import { createHash } from 'node:crypto';
import type { PlannedRequest } from './build-request.ts';
import type { FilePart } from './file-input.ts';
import type { MultipartPart } from './multipart-body.ts';
import { RequestError } from './request-error.ts';

/** Of what is longer a person is shown the length and the hash. */
const mostShownChars = 16 * 1024;

/** A request as a person reads it before it is sent: its credentials are added later. */
export function previewRequest(request: PlannedRequest): unknown {
  const url = new URL(request.url);
  url.username = '';
  url.password = '';
  const { method, headers } = request;
  return { method, url: url.href, headers, ...(request.body && { body: showBody(request.body) }) };
}

/** For what cannot be sent: nothing would be. */
export function previewProblem(error: unknown): unknown {
  if (!(error instanceof RequestError)) throw error;
  return { problem: error.message };
}

function showBody(body: NonNullable<PlannedRequest['body']>): unknown {
  switch (body.type) {
    case 'json':
      return body.text.length > mostShownChars ? note(body.text, body.mediaType) : JSON.parse(body.text);
    case 'text':
      return showText(body.text, body.mediaType);
    case 'file':
      return showFile(body.file, body.mediaType);
    case 'multipart':
      return { parts: body.parts.map(showPart) };
  }
}

function showPart({ name, headers, mediaType, content }: MultipartPart): unknown {
  const about = {
    name,
    ...(mediaType !== undefined && { mediaType }),
    ...(Object.keys(headers).length > 0 && { headers }),
  };
  if ('text' in content) return { ...about, value: showText(content.text, mediaType ?? 'text/plain') };
  return { ...about, file: showFile(content.file, mediaType) };
}

function showFile(
  { content, name, mediaType = 'application/octet-stream' }: FilePart,
  declared?: string,
): unknown {
  const about = { ...(name !== undefined && { name }), mediaType: declared ?? mediaType };
  if ('artifact' in content) return { ...about, artifact: content.artifact };
  if ('text' in content) {
    const shown = showText(content.text, about.mediaType);
    return typeof shown === 'string' ? { ...about, text: shown } : { ...about, ...(shown as object) };
  }
  return { ...note(Buffer.from(content.base64, 'base64'), about.mediaType), ...about };
}

function showText(text: string, mediaType: string): unknown {
  return text.length > mostShownChars ? note(text, mediaType) : text;
}

function note(
  bytes: string | Uint8Array,
  mediaType: string,
): { bytes: number; mediaType: string; sha256: string } {
  return {
    bytes: Buffer.byteLength(bytes),
    mediaType,
    sha256: createHash('sha256').update(bytes).digest('hex'),
  };
}

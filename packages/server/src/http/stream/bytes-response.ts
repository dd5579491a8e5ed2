import { writeRecorded } from '@executor/engine';
import type { Bytes } from '@executor/protocol';
import type { Context } from 'hono';
import { inPieces } from './pieces.ts';

/** Bytes that are too many to hold in memory. */
export interface ByteStream {
  mediaType: string;
  name?: string;
  /** Total number of bytes. */
  length: number;
  /** All bytes; or a function that opens a part of them, if a caller may request a range. */
  stream: ReadableStream<Uint8Array> | ((part: Part) => ReadableStream<Uint8Array>);
}

interface Part {
  offset: number;
  length: number;
}

/**
 * Sends untrusted bytes. A browser must never run them as a page of this server: they are sent as a download, without type sniffing, and
 * with a policy that gives them no origin and lets them load nothing.
 */
export function respondBytes(http: Context, output: Bytes | ByteStream): Response {
  const { mediaType, name } = output;
  http.header(
    'content-type',
    /^[\w.+-]+\/[\w.+-]+(; *[\w-]+=[\w."-]+)*$/.test(mediaType) ? mediaType : unknownType,
  );
  http.header('content-disposition', disposition(name));
  http.header('content-security-policy', "default-src 'none'; sandbox; frame-ancestors 'none'");
  if ('bytes' in output) {
    const { bytes } = output;
    return respondRange(http, bytes.length, ({ offset, length }, status) =>
      send(http, bytes.subarray(offset, offset + length), status),
    );
  }
  const { length, stream } = output;
  if (typeof stream === 'function')
    return respondRange(http, length, (part, status) => sendStream(http, stream(part), part.length, status));
  return sendStream(http, stream, length, 200);
}

export function respondJson(http: Context, output: unknown): Response {
  const bytes = new TextEncoder().encode(writeRecorded(output));
  http.header('content-type', 'application/json');
  http.header('content-length', String(bytes.length));
  return http.body(inPieces(bytes));
}

type SendPart = (part: Part, status: 200 | 206) => Response;

function respondRange(http: Context, length: number, sendPart: SendPart): Response {
  http.header('accept-ranges', 'bytes');
  const range = readRange(http.req.header('range'), length);
  if (range === undefined) return sendPart({ offset: 0, length }, 200);
  if (range === 'unsatisfiable') {
    http.header('content-range', `bytes */${length}`);
    return send(http, new Uint8Array(), 416);
  }
  const { first, last } = range;
  http.header('content-range', `bytes ${first}-${last}/${length}`);
  return sendPart({ offset: first, length: last + 1 - first }, 206);
}

function sendStream(
  http: Context,
  stream: ReadableStream<Uint8Array>,
  length: number,
  status: 200 | 206,
): Response {
  http.header('content-length', String(length));
  return http.body(stream as ReadableStream<Uint8Array<ArrayBuffer>>, status);
}

const unknownType = 'application/octet-stream';

function send(http: Context, bytes: Uint8Array, status: 200 | 206 | 416): Response {
  http.header('content-length', String(bytes.length));
  return http.body(inPieces(bytes as Uint8Array<ArrayBuffer>), status);
}

/** Removes path separators, leading dots and control characters from the name. The plain form is for old clients. */
function disposition(name: string | undefined): string {
  const cleaned = (name ?? '').replace(/[\p{Cc}\p{Cf}\p{Cs}/\\:*?"<>|]/gu, '_').replace(/^[.\s]+/, '');
  const safe = [...cleaned].slice(0, 150).join('');
  if (safe === '') return 'attachment';
  const plain = safe.replace(/[^\x20-\x7e]|%/g, '_');
  const encoded = encodeURIComponent(safe).replace(/['()*]/g, escapeByte);
  return `attachment; filename="${plain}"; filename*=UTF-8''${encoded}`;
}

function escapeByte(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase()}`;
}

interface Range {
  first: number;
  last: number;
}

/** Supports a single range. For anything else the complete bytes are sent, as the standard allows. */
function readRange(header: string | undefined, size: number): Range | 'unsatisfiable' | undefined {
  const [, from, to] = /^bytes=(\d*)-(\d*)$/.exec(header ?? '') ?? [];
  if (from === undefined || to === undefined || (from === '' && to === '')) return undefined;
  const first = from === '' ? Math.max(0, size - Number(to)) : Number(from);
  const last = from === '' || to === '' ? size - 1 : Math.min(Number(to), size - 1);
  if (from !== '' && to !== '' && Number(to) < first) return undefined;
  return first > last ? 'unsatisfiable' : { first, last };
}

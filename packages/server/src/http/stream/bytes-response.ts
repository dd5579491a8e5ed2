import type { Bytes } from '@executor/protocol';
import type { Context } from 'hono';

/** Bytes that are too many to hold in memory. */
export interface ByteStream {
  mediaType: string;
  name?: string;
  /** Total number of bytes. */
  length: number;
  stream: ReadableStream<Uint8Array>;
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
  if ('bytes' in output) return respondWhole(http, output.bytes);
  http.header('content-length', String(output.length));
  return http.body(output.stream as ReadableStream<Uint8Array<ArrayBuffer>>);
}

function respondWhole(http: Context, bytes: Uint8Array): Response {
  http.header('accept-ranges', 'bytes');
  const range = readRange(http.req.header('range'), bytes.length);
  if (range === undefined) return send(http, bytes, 200);
  if (range === 'unsatisfiable') {
    http.header('content-range', `bytes */${bytes.length}`);
    return send(http, new Uint8Array(), 416);
  }
  http.header('content-range', `bytes ${range.first}-${range.last}/${bytes.length}`);
  return send(http, bytes.subarray(range.first, range.last + 1), 206);
}

const unknownType = 'application/octet-stream';

function send(http: Context, bytes: Uint8Array, status: 200 | 206 | 416): Response {
  http.header('content-length', String(bytes.length));
  return http.body(bytes as Uint8Array<ArrayBuffer>, status);
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

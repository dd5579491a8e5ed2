import { UnreachableError } from '../http/unreachable-error.ts';
import type { BodyRoom } from './body-room.ts';

/** A response over the size limit. */
export class ResponseTooLargeError extends Error {
  constructor(readonly limit: number) {
    super(
      `The response is larger than the limit of ${limit} bytes. Request less, or raise the limit: executor sources edit NS --max-response BYTES`,
    );
    this.name = 'ResponseTooLargeError';
  }
}

export interface BodyLimits {
  maxBytes: number;
  room: BodyRoom;
}

export async function readWhole(body: AsyncIterable<Uint8Array>, limits: BodyLimits): Promise<Uint8Array> {
  const { bytes, complete } = await collect(body, limits, []);
  if (!complete) throw new ResponseTooLargeError(limits.maxBytes);
  return bytes;
}

/** Reads a body up to the limit or up to the point where the connection broke, and says whether it is complete. */
export async function readUpTo(body: AsyncIterable<Uint8Array>, limits: BodyLimits): Promise<PartialBody> {
  const chunks: Uint8Array[] = [];
  try {
    return await collect(body, limits, chunks);
  } catch (error) {
    if (!(error instanceof UnreachableError)) throw error;
    return { bytes: Buffer.concat(chunks), complete: false };
  }
}

interface PartialBody {
  bytes: Uint8Array;
  complete: boolean;
}

async function collect(
  body: AsyncIterable<Uint8Array>,
  { maxBytes, room }: BodyLimits,
  chunks: Uint8Array[],
): Promise<PartialBody> {
  let length = 0;
  for await (const chunk of body) {
    chunks.push(chunk);
    length += chunk.length;
    if (length > maxBytes) return { bytes: Buffer.concat(chunks).subarray(0, maxBytes), complete: false };
    await room.grow(length, maxBytes);
  }
  const [first] = chunks;
  return { bytes: chunks.length === 1 && first ? first : Buffer.concat(chunks), complete: true };
}

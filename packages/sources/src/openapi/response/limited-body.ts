import { UnreachableError } from '../../http/unreachable-error.ts';

/** A response over the size limit. */
export class AnswerTooLarge extends Error {
  constructor(readonly limit: number) {
    super(
      `The response is larger than the limit of ${limit} bytes. Request less, or raise the limit: executor sources edit NS --max-response BYTES`,
    );
    this.name = 'AnswerTooLarge';
  }
}

export async function readWhole(body: AsyncIterable<Uint8Array>, limit: number): Promise<Uint8Array> {
  const { bytes, complete } = await collect(body, limit, []);
  if (!complete) throw new AnswerTooLarge(limit);
  return bytes;
}

/** Reads the first bytes of a body and whether that is all of it. It does not wait for the rest. */
export async function readWhatComes(body: AsyncIterable<Uint8Array>, limit: number): Promise<Beginning> {
  const pieces: Uint8Array[] = [];
  try {
    return await collect(body, limit, pieces);
  } catch (error) {
    if (!(error instanceof UnreachableError)) throw error;
    return { bytes: Buffer.concat(pieces), complete: false };
  }
}

interface Beginning {
  bytes: Uint8Array;
  complete: boolean;
}

async function collect(
  body: AsyncIterable<Uint8Array>,
  limit: number,
  pieces: Uint8Array[],
): Promise<Beginning> {
  let length = 0;
  for await (const piece of body) {
    pieces.push(piece);
    length += piece.length;
    if (length > limit) return { bytes: Buffer.concat(pieces).subarray(0, limit), complete: false };
  }
  const [first] = pieces;
  return { bytes: pieces.length === 1 && first ? first : Buffer.concat(pieces), complete: true };
}

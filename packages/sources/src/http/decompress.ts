import { pipeline, type Readable } from 'node:stream';
import { constants, createBrotliDecompress, createGunzip, createInflate, createInflateRaw } from 'node:zlib';
import { UnreachableError } from './unreachable-error.ts';

export const acceptedEncodings = 'gzip, deflate, br';

/** Each layer multiplies the size that a few bytes can expand to. */
const maxLayers = 2;

/** The decompressed body, as a stream. The reader counts bytes and stops at its limit. */
export async function decompress(body: Readable, encoding: string | string[] | undefined): Promise<Readable> {
  const layers = String(encoding ?? '')
    .toLowerCase()
    .split(',')
    .map((layer) => layer.trim())
    .filter((layer) => layer !== '' && layer !== 'identity');
  if (layers.length > maxLayers) throw badEncoding(body, `it is compressed ${layers.length} times`);
  let plain = body;
  for (const layer of layers.reverse()) plain = await decompressLayer(plain, layer);
  return plain;
}

async function decompressLayer(body: Readable, layer: string): Promise<Readable> {
  const zlib = { flush: constants.Z_SYNC_FLUSH, finishFlush: constants.Z_SYNC_FLUSH };
  switch (layer) {
    case 'gzip':
    case 'x-gzip':
      return through(body, createGunzip(zlib));
    case 'deflate':
      return through(body, (await startsAsZlib(body)) ? createInflate(zlib) : createInflateRaw(zlib));
    case 'br':
      return through(
        body,
        createBrotliDecompress({
          flush: constants.BROTLI_OPERATION_FLUSH,
          finishFlush: constants.BROTLI_OPERATION_FLUSH,
        }),
      );
    default:
      throw badEncoding(body, `its encoding ${JSON.stringify(layer.slice(0, 40))} is not supported`);
  }
}

function through<T extends Readable & NodeJS.WritableStream>(body: Readable, transform: T): T {
  // An error of either stream reaches the reader.
  pipeline(body, transform, () => {});
  return transform;
}

/** Servers disagree on what `deflate` is: half of them omit the zlib header. */
async function startsAsZlib(body: Readable): Promise<boolean> {
  while (body.readableLength === 0 && !body.readableEnded && !body.destroyed) {
    const more = await new Promise<boolean>((resolve) => {
      body.once('readable', () => resolve(true));
      body.once('close', () => resolve(false));
      body.once('error', () => resolve(false));
    });
    if (!more || body.readableLength === 0) break;
  }
  const first = body.read() as Buffer | null;
  if (first === null) return true;
  body.unshift(first);
  return ((first[0] ?? 0) & 0x0f) === 0x08;
}

function badEncoding(body: Readable, why: string): UnreachableError {
  body.on('error', () => {}).destroy();
  return new UnreachableError('badEncoding', `The response cannot be decoded: ${why}.`, {
    mayHaveArrived: true,
  });
}

import { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { accountOf, type Engine } from '@executor/engine';
import type { Principal } from '@executor/protocol';
import type { Handlers } from '../handler.ts';
import type { ByteStream } from '../stream/bytes-response.ts';

/** Sources and their tools. */
export function sourceHandlers({
  sources,
  descriptions,
  discovery,
  resources,
}: Engine): Pick<Handlers, 'sources' | 'tools'> {
  return {
    sources: {
      list: (page, { principal }) => sources.list(principal, page),
      create: (source, { principal }) => sources.add(principal, source),
      detect: (question, { principal }) => sources.detect(principal, question),
      providers: async ({ query }, { principal }) => ({ items: sources.providers(principal, query) }),
      get: ({ id }, { principal }) => sources.get(principal, id),
      update: ({ id, ...change }, { principal }) => sources.update(principal, id, change),
      async remove({ id }, { principal }) {
        await sources.remove(principal, id);
        return undefined;
      },
      refresh: ({ id }, { principal }) => sources.refresh(principal, id),
      tools: ({ id, ...query }, { principal }) => sources.tools(principal, id, query),
      async document({ id, file }, { principal }): Promise<ByteStream> {
        const { mediaType, name, bytes, pieces } = await sources.document(principal, id, file);
        return { mediaType, name, length: bytes, stream: inflated(pieces) };
      },
      async logs({ id }, { principal }) {
        const lines = await sources.logs(principal, id);
        return { items: lines.map(({ at, text }) => ({ at: at.toISOString(), text })) };
      },
    },
    tools: {
      discover: (query, { principal }) => inTurn(principal, () => discovery.discover(principal, query)),
      get: ({ path, depth }, { principal }) =>
        inTurn(principal, () => descriptions.get(principal, path, depth === undefined ? {} : { depth })),
    },
  };

  /** Keys take turns, as runs do that call the same tools. */
  async function inTurn<Result>(principal: Principal, work: () => Promise<Result>): Promise<Result> {
    const turn = await resources.held.ownCalls.take(accountOf(principal));
    try {
      return await work();
    } finally {
      turn.release();
    }
  }
}

/** Decompresses as fast as the caller reads. If reading fails, the response ends before its announced length. */
function inflated(pieces: AsyncIterable<Uint8Array>): ReadableStream<Uint8Array> {
  const compressed = Readable.from(pieces, { objectMode: false });
  const gunzip = createGunzip();
  compressed.on('error', (error) => gunzip.destroy(error));
  gunzip.on('close', () => compressed.destroy());
  return Readable.toWeb(compressed.pipe(gunzip)) as ReadableStream<Uint8Array>;
}

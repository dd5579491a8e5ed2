import { inflateRawSync } from 'node:zlib';
import type { ChunkAddress, Definitions, JsonSchema, PackedTools } from '../ports/source.ts';
import type { ChunkCache } from './chunk-cache.ts';
import type { PackHead, ToolDetail } from './pack-format.ts';

/** The schemas of packed tools, without the rows. Opening it inflates one piece only. */
export class PackContents implements Definitions {
  readonly head: PackHead;
  readonly #chunks: Uint8Array[];
  readonly #definitions: Map<string, ChunkAddress>;
  readonly #cache: ChunkCache;

  constructor([first, ...pieces]: PackedTools, cache: ChunkCache) {
    if (first === undefined) throw new RangeError('The pack is empty.');
    this.head = inflate(first) as PackHead;
    this.#chunks = pieces.slice(this.head.rowPieces);
    this.#definitions = new Map(Object.entries(this.head.definitions));
    this.#cache = cache;
  }

  get tracksEvaluated(): boolean {
    return this.head.tracksEvaluated;
  }

  detail(at: ChunkAddress): ToolDetail {
    return this.#entry(at) as ToolDetail;
  }

  /** A definition by its name. */
  get(name: string): JsonSchema | undefined {
    const at = this.#definitions.get(name);
    return at && (this.#entry(at) as JsonSchema);
  }

  /** Whether `get` would have to open a chunk, which takes about a millisecond. */
  isClosed(name: string): boolean {
    const chunk = this.#chunks[this.#definitions.get(name)?.[0] ?? -1];
    return chunk !== undefined && !this.#cache.has(chunk);
  }

  #entry([number, entry]: ChunkAddress): unknown {
    const chunk = this.#chunks[number];
    if (chunk === undefined) throw new RangeError(`The pack has no chunk ${number}.`);
    return this.#cache.open(chunk, () => inflate(chunk) as unknown[])[entry];
  }
}

/** The JSON in a piece of packed tools. */
export function inflate(piece: Uint8Array): unknown {
  return JSON.parse(inflateRawSync(piece).toString());
}

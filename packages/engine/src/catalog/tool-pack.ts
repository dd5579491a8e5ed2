import { setImmediate } from 'node:timers/promises';
import { deflateRawSync } from 'node:zlib';
import type { ChunkAddress, Definitions, JsonSchema, PackedTools, Tool, ToolRow } from '../ports/source.ts';
import type { ChunkCache } from './chunk-cache.ts';
import { inflate, PackContents } from './pack-contents.ts';
import type { PackedRow, PackHead, ToolDetail } from './pack-format.ts';

/* Writes and reads packed tools. pack-format.ts defines the format. */

const chunkChars = 64 * 1024;

/** Packs tools one at a time, so that they need not be in memory together. */
export class ToolPacker {
  readonly #rows = new Pieces();
  readonly #chunks = new Pieces();
  readonly #definitions: [string, ChunkAddress][] = [];
  #tracksEvaluated = false;

  /** The definitions that the tool refers to must be added before. */
  add(tool: Tool): void {
    const { inputSchema, outputSchema, tags, security, plan, definitions: _, ...row } = tool;
    const detail: ToolDetail = {
      inputSchema,
      ...(outputSchema !== undefined && { outputSchema }),
      ...(tags && { tags }),
      ...(security && { security }),
      ...(plan !== undefined && { plan }),
    };
    const at = this.#chunks.add(JSON.stringify(detail));
    this.#rows.add(JSON.stringify({ ...row, at } satisfies PackedRow));
  }

  /** A schema that tools refer to as `#/$defs/NAME`. */
  define(name: string, schema: JsonSchema): void {
    const json = JSON.stringify(schema);
    this.#tracksEvaluated ||= json.includes('"unevaluated');
    this.#definitions.push([name, this.#chunks.add(json)]);
  }

  finish(): PackedTools {
    const rows = this.#rows.finish();
    const head: PackHead = {
      format: 1,
      rowPieces: rows.length,
      definitions: Object.fromEntries(this.#definitions),
      tracksEvaluated: this.#tracksEvaluated,
    };
    return [deflate(JSON.stringify(head)), ...rows, ...this.#chunks.finish()];
  }
}

export function packTools(tools: Iterable<Tool>): PackedTools {
  const packer = new ToolPacker();
  for (const tool of tools) packer.add(tool);
  return packer.finish();
}

/** Moves tools to another namespace. */
export async function renameTools(
  [first, ...pieces]: PackedTools,
  from: string,
  to: string,
): Promise<PackedTools> {
  if (first === undefined || from === to) return first ? [first, ...pieces] : [];
  const { rowPieces } = inflate(first) as PackHead;
  const renamed: Uint8Array[] = [];
  for (const piece of pieces.slice(0, rowPieces)) {
    const rows = (inflate(piece) as PackedRow[]).map((row) => ({
      ...row,
      path: `${to}${row.path.slice(from.length)}`,
    }));
    renamed.push(deflate(JSON.stringify(rows)));
    await setImmediate();
  }
  return [first, ...renamed, ...pieces.slice(rowPieces)];
}

/**
 * Leaves out the group of tools whose group is called like the namespace: `payments.payments.pay` becomes
 * `payments.pay`. A tool keeps its long path if the short one would be that of another tool or of a group.
 */
export async function shortenPaths(packed: PackedTools, namespace: string): Promise<PackedTools> {
  const [first, ...pieces] = packed;
  if (first === undefined) return packed;
  const { rowPieces } = inflate(first) as PackHead;
  const rows = pieces.slice(0, rowPieces).flatMap((piece) => inflate(piece) as PackedRow[]);
  const short = shortPaths(
    rows.map(({ path }) => path),
    namespace,
  );
  if (short.size === 0) return packed;
  const shorten = (path: string) => short.get(path) ?? path;
  const renamed = pieces.slice(0, rowPieces).map((piece) => {
    const rows = (inflate(piece) as PackedRow[]).map((row) => ({ ...row, path: shorten(row.path) }));
    return deflate(JSON.stringify(rows));
  });
  return [first, ...renamed, ...pieces.slice(rowPieces)];
}

function shortPaths(paths: string[], namespace: string): Map<string, string> {
  const prefix = `${namespace}.${namespace}.`;
  const long = paths.filter((path) => path.startsWith(prefix));
  if (long.length === 0) return new Map();
  const taken = new Set(
    paths
      .filter((path) => !path.startsWith(prefix))
      .flatMap((path) => [path, path.split('.').slice(0, 2).join('.')])
      .map((path) => path.toLowerCase()),
  );
  // Tools that keep their long path keep the group, so no tool can have its name.
  taken.add(`${namespace}.${namespace}`.toLowerCase());
  const pairs = long.map((path): [string, string] => [path, `${namespace}.${path.slice(prefix.length)}`]);
  return new Map(pairs.filter(([, path]) => !taken.has(path.toLowerCase())));
}

/**
 * Whether two packs have the same tools. Their rows may be divided differently, if the namespace
 * was changed after packing.
 */
export async function isSamePack(one: PackedTools, other: PackedTools): Promise<boolean> {
  const [first, second] = [partsOf(one), partsOf(other)];
  if (first === undefined || second === undefined || first.definitions !== second.definitions) return false;
  if (!isSameBytes(first.chunks, second.chunks)) return false;
  return (await rowsText(first.rows)) === (await rowsText(second.rows));
}

function partsOf([head, ...pieces]: PackedTools) {
  if (head === undefined) return undefined;
  const { rowPieces, definitions, searched = {} } = inflate(head) as PackHead;
  const unused = Object.values(searched).reduce((sum, count) => sum + count, 0);
  return {
    definitions: JSON.stringify(definitions),
    rows: pieces.slice(0, rowPieces),
    chunks: pieces.slice(rowPieces, pieces.length - unused),
  };
}

function isSameBytes(one: Uint8Array[], other: Uint8Array[]): boolean {
  if (one.length !== other.length) return false;
  return one.every((piece, position) => Buffer.compare(piece, other[position] as Uint8Array) === 0);
}

async function rowsText(pieces: Uint8Array[]): Promise<string> {
  const texts: string[] = [];
  for (const piece of pieces) {
    texts.push(JSON.stringify(inflate(piece)).slice(1, -1));
    await setImmediate();
  }
  return texts.join(',');
}

class Pieces {
  readonly #done: Uint8Array[] = [];
  #open: string[] = [];
  #chars = 0;

  add(json: string): ChunkAddress {
    if (this.#chars > 0 && this.#chars + json.length > chunkChars) this.#close();
    this.#open.push(json);
    this.#chars += json.length;
    return [this.#done.length, this.#open.length - 1];
  }

  finish(): Uint8Array[] {
    if (this.#open.length > 0) this.#close();
    return this.#done;
  }

  #close(): void {
    this.#done.push(deflate(`[${this.#open.join(',')}]`));
    this.#open = [];
    this.#chars = 0;
  }
}

function deflate(json: string): Uint8Array {
  return deflateRawSync(json);
}

/** The opened tools of a source. */
export class ToolPack implements Definitions {
  readonly packed: PackedTools;
  readonly #rows: Map<string, PackedRow>;
  readonly #contents: PackContents;

  private constructor(packed: PackedTools, rows: PackedRow[], contents: PackContents) {
    this.packed = packed;
    this.#rows = new Map(rows.map((row) => [row.path, row]));
    this.#contents = contents;
  }

  /** Opens a pack piece by piece, so that a large source does not block the process. */
  static async open(packed: PackedTools, cache: ChunkCache): Promise<ToolPack> {
    const contents = new PackContents(packed, cache);
    const rows: PackedRow[] = [];
    for (const piece of packed.slice(1, 1 + contents.head.rowPieces)) {
      for (const row of inflate(piece) as PackedRow[]) rows.push(row);
      await setImmediate();
    }
    return new ToolPack(packed, rows, contents);
  }

  get size(): number {
    return this.#rows.size;
  }

  get tracksEvaluated(): boolean {
    return this.#contents.tracksEvaluated;
  }

  rows(): Iterable<ToolRow> {
    return this.#rows.values();
  }

  paths(): Iterable<string> {
    return this.#rows.keys();
  }

  row(path: string): ToolRow | undefined {
    return this.#rows.get(path);
  }

  find(path: string): Tool | undefined {
    const packed = this.#rows.get(path);
    if (packed === undefined) return undefined;
    const { at, ...row } = packed;
    return { ...row, ...this.#contents.detail(at), definitions: this };
  }

  *tools(): Generator<Tool> {
    for (const path of this.#rows.keys()) yield this.find(path) as Tool;
  }

  /** Where the schemas of a tool are, for another thread that has the same pack. */
  addressOf(path: string): ChunkAddress | undefined {
    return this.#rows.get(path)?.at;
  }

  /** A definition by its name. */
  get(name: string): JsonSchema | undefined {
    return this.#contents.get(name);
  }

  isClosed(name: string): boolean {
    return this.#contents.isClosed(name);
  }
}

import type { ChunkAddress, Tool, ToolRow } from '../ports/source.ts';

/*
 * The format of `PackedTools`: a row per tool, and everything else in chunks that are opened when they are used. Every piece is deflated.
 * In this order:
 * 1. one `PackHead`, as JSON
 * 2. `rowPieces` pieces of rows, each a JSON list of `PackedRow`
 * 3. the chunks, each a JSON list of entries: a `ToolDetail` or the `JsonSchema` of a definition
 */

export interface PackHead {
  format: 1;
  /** The number of pieces with rows. */
  rowPieces: number;
  /** Older versions stored words at the end, in this many pieces. Nothing reads them any more. */
  searched?: Record<string, number>;
  definitions: Record<string, ChunkAddress>;
  /** Whether `unevaluatedProperties` or `unevaluatedItems` occur in any definition. */
  tracksEvaluated: boolean;
}

export type PackedRow = ToolRow & { at: ChunkAddress };

/** The part of a tool that is not in its row. */
export type ToolDetail = Omit<Tool, keyof ToolRow | 'definitions'>;

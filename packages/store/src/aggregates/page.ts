import type { Page } from '@executor/engine';
import type { PageQuery } from '@executor/protocol';

/** A page of rows that were selected with one extra. The cursor is the last id shown, because ids sort by time. */
export function toPage<Row extends { id: string }>(rows: Row[], { limit }: PageQuery): Page<Row> {
  const items = rows.slice(0, limit);
  const last = items.at(-1);
  return rows.length > limit && last ? { items, nextCursor: last.id } : { items };
}

import { setImmediate } from 'node:timers/promises';
import type { ToolQuery } from '@executor/protocol';
import type { CatalogRow, OpenedSource } from '../../catalog/opened-source.ts';
import type { ToolRow } from '../../ports/source.ts';

type Query = Pick<ToolQuery, 'filter' | 'only'>;

/** A source may have tens of thousands of tools, and others wait meanwhile. */
const rowsAtOnce = 1_000;

/** The tools that a query asks for: those that have all its words somewhere in path and description. */
export async function filterTools(
  opened: Pick<OpenedSource, 'pack' | 'toolRow'>,
  query: Query,
  isSeen: (row: CatalogRow) => boolean,
): Promise<CatalogRow[]> {
  const hasWords = wordFilter(query);
  const found: CatalogRow[] = [];
  let looked = 0;
  for (const tool of opened.pack.rows()) {
    looked += 1;
    if (looked % rowsAtOnce === 0) await setImmediate();
    if (!hasWords(tool)) continue;
    const row = opened.toolRow(tool.path);
    if (row && isAskedFor(row, query) && isSeen(row)) found.push(row);
  }
  return found;
}

function wordFilter({ filter = '' }: Query) {
  const words = filter.toLowerCase().split(/\s+/).filter(Boolean);
  return ({ path, description }: Pick<ToolRow, 'path' | 'description'>): boolean => {
    if (words.length === 0) return true;
    const text = `${path} ${description}`.toLowerCase();
    return words.every((word) => text.includes(word));
  };
}

function isAskedFor(row: CatalogRow, { only }: Query): boolean {
  if (only === 'unseen') return row.unseen === true;
  if (only === 'edited') return row.edited === true;
  return only !== 'suggested' || (row.suggestion !== undefined && !row.edited);
}

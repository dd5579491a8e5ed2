import { setImmediate } from 'node:timers/promises';
import type { ToolQuery } from '@executor/protocol';
import type { CatalogRow, OpenedSource } from '../../catalog/opened-source.ts';
import type { ToolRow } from '../../ports/source.ts';

type Query = Pick<ToolQuery, 'filter' | 'only'>;

/**
 * The filter yields to other work after this many tools. A source can have tens of thousands, and each is compared with all words of the
 * query and with all rules.
 */
const rowsPerTurn = 100;

/** The tools whose path and description contain all words of the query. */
export async function filterTools(
  opened: Pick<OpenedSource, 'pack' | 'toolRow'>,
  query: Query,
  isVisible: (row: CatalogRow) => boolean,
): Promise<CatalogRow[]> {
  const hasWords = wordFilter(query);
  const found: CatalogRow[] = [];
  let count = 0;
  for (const tool of opened.pack.rows()) {
    count += 1;
    if (count % rowsPerTurn === 0) await setImmediate();
    if (!hasWords(tool)) continue;
    const row = opened.toolRow(tool.path);
    if (row && isSelected(row, query) && isVisible(row)) found.push(row);
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

function isSelected(row: CatalogRow, { only }: Query): boolean {
  if (only === 'unseen') return row.unseen === true;
  if (only === 'edited') return row.edited === true;
  return only !== 'suggested' || (row.suggestion !== undefined && !row.edited);
}

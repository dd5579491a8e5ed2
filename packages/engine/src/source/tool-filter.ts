import type { ToolQuery } from '@executor/protocol';
import type { CatalogRow } from '../catalog/opened-source.ts';

/** Which tools a query asks for: those that have all its words somewhere in path and description. */
export function toolFilter({ filter = '', only }: Pick<ToolQuery, 'filter' | 'only'>) {
  const words = filter.toLowerCase().split(/\s+/).filter(Boolean);
  return (row: CatalogRow): boolean => {
    if (only === 'unseen' && !row.unseen) return false;
    if (only === 'edited' && !row.edited) return false;
    if (only === 'suggested' && (!row.suggestion || row.edited)) return false;
    if (words.length === 0) return true;
    const text = `${row.path} ${row.description}`.toLowerCase();
    return words.every((word) => text.includes(word));
  };
}

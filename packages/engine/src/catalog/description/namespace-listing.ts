import type { PolicyDecision } from '@executor/protocol';
import type { Meter } from '../../ports/meter.ts';
import { Pace } from '../../resource/pace.ts';
import type { CatalogRow, OpenedSource } from '../opened-source.ts';
import { commentText } from '../signature/source-text.ts';
import type { ApprovalOf } from './known-tools.ts';

export interface NamespaceListing {
  path: string;
  /** What the system says about itself, for the path of a source. */
  description?: string;
  /** The number of tools below the path, at any depth. */
  total: number;
  namespaces: { path: string; tools: number }[];
  tools: { path: string; description: string; effect: string; approval: PolicyDecision }[];
  nextCursor?: string;
}

interface Page {
  cursor?: string;
  limit: number;
}

export type Entry =
  | { type: 'namespace'; path: string; tools: number }
  | { type: 'tool'; row: CatalogRow; approval: PolicyDecision };

const maxDescriptionChars = 120;

/** Lists the entries directly below a path of a source; undefined if there are none. */
export async function listBelow(
  opened: OpenedSource,
  path: string,
  { approvalOf, page, meter }: { approvalOf: ApprovalOf; page: Page; meter?: Meter | undefined },
): Promise<NamespaceListing | undefined> {
  const namespaces = new Map<string, number>();
  const tools: Entry[] = [];
  const pace = new Pace(meter);
  for (const toolPath of opened.pack.paths()) {
    if (pace.isDue) await pace.rest();
    const row = toolPath.startsWith(`${path}.`) ? opened.toolRow(toolPath) : undefined;
    const approval = row && approvalOf(row);
    if (row === undefined || approval === undefined) continue;
    const end = toolPath.indexOf('.', path.length + 1);
    if (end === -1) tools.push({ type: 'tool', row, approval });
    else namespaces.set(toolPath.slice(0, end), (namespaces.get(toolPath.slice(0, end)) ?? 0) + 1);
  }
  pace.end();
  const entries: Entry[] = [
    ...[...namespaces].map(([below, count]) => ({ type: 'namespace', path: below, tools: count }) as const),
    ...tools,
  ];
  if (entries.length === 0) return undefined;
  const { description } = opened.row;
  return {
    path,
    ...(description !== null && path === opened.row.namespace && { description }),
    total: totalOf(entries),
    ...paged(entries, page),
  };
}

/**
 * The entries of a source in the list of all sources; none if the reader may see none of its tools. A source may be a
 * tool itself.
 */
export async function entriesOf(
  opened: OpenedSource,
  approvalOf: ApprovalOf,
  meter?: Meter,
): Promise<Entry[]> {
  const path = opened.row.namespace;
  const own = opened.toolRow(path);
  const approval = own && approvalOf(own);
  const tools = await countTools(opened, (row) => row.path !== path && approvalOf(row) !== undefined, meter);
  return [
    ...(tools > 0 || opened.pack.size === 0 ? [{ type: 'namespace', path, tools } as const] : []),
    ...(own && approval ? [{ type: 'tool', row: own, approval } as const] : []),
  ];
}

async function countTools(
  opened: OpenedSource,
  isKnown: (row: CatalogRow) => boolean,
  meter?: Meter,
): Promise<number> {
  let count = 0;
  const pace = new Pace(meter);
  for (const path of opened.pack.paths()) {
    if (pace.isDue) await pace.rest();
    const row = opened.toolRow(path);
    if (row && isKnown(row)) count += 1;
  }
  pace.end();
  return count;
}

/** Lists the sources. */
export function listSources(entries: Entry[], page: Page): NamespaceListing {
  return { path: '', total: totalOf(entries), ...paged(entries, page) };
}

export function pathOf(entry: Entry): string {
  return entry.type === 'tool' ? entry.row.path : entry.path;
}

function totalOf(entries: Entry[]): number {
  return entries.reduce((sum, entry) => sum + (entry.type === 'tool' ? 1 : entry.tools), 0);
}

function paged(entries: Entry[], { cursor, limit }: Page): Omit<NamespaceListing, 'path' | 'total'> {
  const from = Number.parseInt(cursor ?? '0', 10) || 0;
  const shown = entries.slice(from, from + limit);
  return {
    namespaces: shown.flatMap((entry) =>
      entry.type === 'namespace' ? [{ path: entry.path, tools: entry.tools }] : [],
    ),
    tools: shown.flatMap((entry) => (entry.type === 'tool' ? [briefly(entry.row, entry.approval)] : [])),
    ...(from + limit < entries.length && { nextCursor: String(from + limit) }),
  };
}

function briefly({ path, description, effect }: CatalogRow, approval: PolicyDecision) {
  return { path, description: commentText(description, maxDescriptionChars) ?? '', effect, approval };
}

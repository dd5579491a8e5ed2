import { nearest } from '@executor/protocol';
import type { Catalog } from '../catalog.ts';
import type { ApprovalOf, Reader } from './known-tools.ts';

interface Parts {
  catalog: Pick<Catalog, 'source'>;
  approvalOf: ApprovalOf;
  /** The sources that the reader may know of. */
  known: string[];
}

/** The namespace that was probably meant instead of one that is not there: a source, or a part of one. */
export async function nearestNamespace(
  { workspaceId }: Reader,
  path: string,
  { catalog, approvalOf, known }: Parts,
): Promise<string | undefined> {
  const [named = ''] = path.split('.', 1);
  const namespace = known.includes(named) ? named : nearest(named, known);
  // A source without tools is there all the same.
  if (namespace === undefined || namespace === path) return undefined;
  if (named === path) return namespace;
  const source = await catalog.source(workspaceId, namespace);
  const parts = new Set<string>();
  for (const at of source?.pack.paths() ?? []) {
    const part = at.slice(namespace.length + 1, Math.max(namespace.length, at.lastIndexOf('.')));
    if (part === '' || parts.has(part)) continue;
    const row = source?.toolRow(at);
    if (row && approvalOf(row) !== undefined) parts.add(part);
  }
  const meant = nearest(path.slice(named.length + 1), [...parts]);
  return meant && `${namespace}.${meant}`;
}

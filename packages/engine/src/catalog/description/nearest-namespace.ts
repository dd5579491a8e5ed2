import { nearest } from '@executor/protocol';
import type { Catalog } from '../catalog.ts';
import type { ApprovalOf, Reader } from './known-tools.ts';

interface Parts {
  catalog: Pick<Catalog, 'source'>;
  approvalOf: ApprovalOf;
  /** The sources that the reader may see. */
  known: string[];
}

/** The namespace nearest to one that does not exist: a source, or a part of one. */
export async function nearestNamespace(
  { workspaceId }: Reader,
  path: string,
  { catalog, approvalOf, known }: Parts,
): Promise<string | undefined> {
  const [first = ''] = path.split('.', 1);
  const namespace = known.includes(first) ? first : nearest(first, known);
  // A source without tools exists, so its own name is no suggestion.
  if (namespace === undefined || namespace === path) return undefined;
  if (first === path) return namespace;
  const source = await catalog.source(workspaceId, namespace);
  const groups = new Set<string>();
  for (const toolPath of source?.pack.paths() ?? []) {
    const group = toolPath.slice(namespace.length + 1, Math.max(namespace.length, toolPath.lastIndexOf('.')));
    if (group === '' || groups.has(group)) continue;
    const row = source?.toolRow(toolPath);
    if (row && approvalOf(row) !== undefined) groups.add(group);
  }
  const nearestGroup = nearest(path.slice(first.length + 1), [...groups]);
  return nearestGroup && `${namespace}.${nearestGroup}`;
}

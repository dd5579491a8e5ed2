import type { Catalog } from './catalog.ts';
import type { SourceIndexes } from './discovery/source-indexes.ts';

interface Parts {
  catalog: Pick<Catalog, 'rows' | 'source'>;
  indexes: Pick<SourceIndexes, 'ready'>;
  signal: AbortSignal;
}

/** After this time the next source is opened. The index is still built in the background. */
const maxWaitMs = 30_000;

/**
 * Opens the sources of a workspace in advance, so that the first search does not wait for their indexes. It opens one
 * at a time, so that requests have priority.
 */
export async function openSources(workspaceId: string, { catalog, indexes, signal }: Parts): Promise<void> {
  for (const { namespace } of await catalog.rows(workspaceId)) {
    if (signal.aborted) return;
    const opened = await catalog.source(workspaceId, namespace);
    if (opened) await indexes.ready(opened.pack, maxWaitMs);
  }
}

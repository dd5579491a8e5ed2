import type { Catalog } from './catalog.ts';
import type { SourceIndexes } from './discovery/index/source-indexes.ts';

interface Parts {
  catalog: Pick<Catalog, 'rows' | 'source'>;
  indexes: Pick<SourceIndexes, 'ready'>;
  signal: AbortSignal;
}

/** The others are opened meanwhile; it is still made. */
const longestWaitMs = 30_000;

/**
 * Opens the sources of a workspace before anybody asks for them, so that the first search does not wait for their indexes: one after the
 * other, so that whoever asks for something meanwhile comes first.
 */
export async function openSources(workspaceId: string, { catalog, indexes, signal }: Parts): Promise<void> {
  for (const { namespace } of await catalog.rows(workspaceId)) {
    if (signal.aborted) return;
    const opened = await catalog.source(workspaceId, namespace);
    if (opened) await indexes.ready(opened.pack, longestWaitMs);
  }
}

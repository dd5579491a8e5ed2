import { type DetectedSource, ExecutorError } from '@executor/protocol';
import type { Catalog } from '../../catalog/catalog.ts';
import type { Source } from '../../ports/source.ts';
import { freeNamespace, namespaceFromTitle, namespaceFromUrl } from '../namespace.ts';
import { mayReachPrivateNetwork } from '../network/network-reach.ts';
import { displayName } from '../source-row.ts';

const detectMs = 30_000;

/** Finds the kind of system behind a URL, with the name and namespace that a source for it would get. */
export async function detectSource(
  workspaceId: string,
  question: { url: string; allowPrivateNetwork?: boolean | undefined },
  { kinds, catalog }: { kinds: readonly Source[]; catalog: Pick<Catalog, 'reservedNamespaces'> },
): Promise<DetectedSource> {
  const end = new AbortController();
  const signal = AbortSignal.any([end.signal, AbortSignal.timeout(detectMs)]);
  const allowPrivateNetwork = mayReachPrivateNetwork(question);
  // All kinds look at the same time. The first in order that finds something wins.
  const looking = kinds.map((source) => ({
    source,
    found: (async () => source.detect?.(question.url, { signal, allowPrivateNetwork }))(),
  }));
  for (const { found } of looking) found.catch(() => {});
  for (const { source, found: finding } of looking) {
    const found = await finding;
    if (found === undefined) continue;
    end.abort();
    const { title, settings } = found;
    const url = settings.url ?? question.url;
    const name = displayName(title) ?? new URL(url).hostname;
    const wanted = (title && namespaceFromTitle(title)) ?? namespaceFromUrl(url) ?? 'api';
    const namespace = freeNamespace(wanted, await catalog.reservedNamespaces(workspaceId));
    return { kind: source.kind, url, name, namespace, ...(title !== undefined && { title }) };
  }
  throw new ExecutorError(
    'unusableDocument',
    `No ${kinds.map(({ kind }) => kind).join(', ')} description was found at ${question.url}. Enter the URL of the API's description.`,
  );
}

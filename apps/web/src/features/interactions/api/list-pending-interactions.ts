import type { Interaction } from '@executor/protocol';
import { type QueryClient, useQuery } from '@tanstack/react-query';
import { useClient } from '../../session/client.tsx';

/**
 * At most this many pages are read, which is enough for the default limits of pending questions. A page of large questions is shorter;
 * more of them appear as these are answered.
 */
const maxPages = 7;
const pageSize = 200;
/** Events report changes while the page is visible. A tab in the background polls, so that the count in its title is right. */
const pollMs = 30_000;

const queryKey = ['workspace', 'interactions', 'pending'];

interface Pending {
  items: Interaction[];
  hasMore: boolean;
}

export function usePendingInteractions() {
  const client = useClient();
  return useQuery({
    queryKey,
    async queryFn(): Promise<Pending> {
      const all: Interaction[] = [];
      let cursor: string | undefined;
      for (let page = 0; page < maxPages && (page === 0 || cursor !== undefined); page++) {
        const next = { limit: pageSize, ...(cursor !== undefined && { cursor }) };
        const { items, nextCursor } = await client.interactions.list({ status: 'pending', ...next });
        // A question may have expired although its run has not noticed yet.
        all.push(...items.filter(({ status }) => status === 'pending'));
        cursor = nextCursor;
      }
      return { items: all, hasMore: cursor !== undefined };
    },
    refetchInterval: pollMs,
    refetchIntervalInBackground: true,
  });
}

/** Removes answered questions from the cached list at once, before it is read again. */
export function forgetPending(queryClient: QueryClient, ids: string[]): void {
  queryClient.setQueryData<Pending>(
    queryKey,
    (cached) => cached && { ...cached, items: cached.items.filter(({ id }) => !ids.includes(id)) },
  );
}

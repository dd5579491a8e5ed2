import type { Interaction } from '@executor/protocol';
import { type QueryClient, useQuery } from '@tanstack/react-query';
import { useClient } from '../../session/client.tsx';

/** The list shows at most this many. More appear as these are answered. */
const maxShown = 200;
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
      const { items, nextCursor } = await client.interactions.list({ status: 'pending', limit: maxShown });
      // A question may have expired although its run has not noticed yet.
      return { items: items.filter(({ status }) => status === 'pending'), hasMore: nextCursor !== undefined };
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

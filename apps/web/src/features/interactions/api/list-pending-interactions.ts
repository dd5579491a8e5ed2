import type { Interaction } from '@executor/protocol';
import { type QueryClient, useQuery } from '@tanstack/react-query';
import { useClient } from '../../session/client.tsx';

/** As many as are read at once; who answers some of them gets the next. */
const most = 200;
/** Events tell of changes while the page is looked at; a tab in the background looks for itself, so that its title is true. */
const lookAgainMs = 30_000;

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
      const { items, nextCursor } = await client.interactions.list({ status: 'pending', limit: most });
      // Of what has expired its run may not have taken note yet.
      return { items: items.filter(({ status }) => status === 'pending'), hasMore: nextCursor !== undefined };
    },
    refetchInterval: lookAgainMs,
    refetchIntervalInBackground: true,
  });
}

/** What was just answered is not shown as waiting until the list has been read again. */
export function forgetPending(queryClient: QueryClient, ids: string[]): void {
  queryClient.setQueryData<Pending>(
    queryKey,
    (known) => known && { ...known, items: known.items.filter(({ id }) => !ids.includes(id)) },
  );
}

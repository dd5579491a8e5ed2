import { useQuery } from '@tanstack/react-query';
import { useClient } from '../../session/client.tsx';

/** As many as are read at once; who answers some of them gets the next. */
const most = 200;
/** Events tell of changes while the page is looked at; a tab in the background looks for itself, so that its title is true. */
const lookAgainMs = 30_000;

export function usePendingInteractions() {
  const client = useClient();
  return useQuery({
    queryKey: ['workspace', 'interactions', 'pending'],
    async queryFn() {
      const { items, nextCursor } = await client.interactions.list({ status: 'pending', limit: most });
      // Of what has expired its run may not have taken note yet.
      return { items: items.filter(({ status }) => status === 'pending'), hasMore: nextCursor !== undefined };
    },
    refetchInterval: lookAgainMs,
    refetchIntervalInBackground: true,
  });
}

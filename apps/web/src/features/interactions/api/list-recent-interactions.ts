import type { Interaction } from '@executor/protocol';
import { useQuery } from '@tanstack/react-query';
import { useClient } from '../../session/client.tsx';

const looked = 50;
const shown = 10;

/** Of the newest questions that somebody answered, the last answered first. What was only withdrawn would fill the list with nothing. */
export function useRecentInteractions() {
  const client = useClient();
  return useQuery({
    queryKey: ['workspace', 'interactions', 'recent'],
    async queryFn() {
      const { items } = await client.interactions.list({ status: 'resolved', limit: looked });
      return items.sort((a, b) => answeredAt(b).localeCompare(answeredAt(a))).slice(0, shown);
    },
  });
}

function answeredAt({ resolvedAt, createdAt }: Interaction): string {
  return resolvedAt ?? createdAt;
}

import type { Interaction } from '@executor/protocol';
import { useQuery } from '@tanstack/react-query';
import { useClient } from '../../session/client.tsx';

const looked = 50;
const shown = 10;

/** Of the newest questions those that are settled, the last settled first. */
export function useRecentInteractions() {
  const client = useClient();
  return useQuery({
    queryKey: ['workspace', 'interactions', 'recent'],
    async queryFn() {
      const { items } = await client.interactions.list({ limit: looked });
      return items
        .filter(({ status }) => status !== 'pending')
        .sort((a, b) => settledAt(b).localeCompare(settledAt(a)))
        .slice(0, shown);
    },
  });
}

function settledAt({ resolvedAt, expiresAt, createdAt }: Interaction): string {
  return resolvedAt ?? expiresAt ?? createdAt;
}

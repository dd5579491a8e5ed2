import { useInfiniteQuery } from '@tanstack/react-query';
import { useClient } from '../../session/client.tsx';

const pageSize = 10;

export function useAudit() {
  const client = useClient();
  return useInfiniteQuery({
    queryKey: ['workspace', 'audit'],
    queryFn: ({ pageParam }) => client.audit.list({ limit: pageSize, cursor: pageParam }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.nextCursor,
    select: ({ pages }) => pages.flatMap(({ items }) => items),
  });
}

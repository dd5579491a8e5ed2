import { useQuery } from '@tanstack/react-query';
import { useClient } from '../../session/client.tsx';

/** All questions of one run, pending and answered. */
export function useRunInteractions(executionId: string) {
  const client = useClient();
  return useQuery({
    queryKey: ['workspace', 'interactions', 'run', executionId],
    queryFn: () => client.interactions.list({ executionId, limit: 200 }),
  });
}

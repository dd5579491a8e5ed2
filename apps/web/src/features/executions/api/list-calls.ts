import { useQuery } from '@tanstack/react-query';
import { useClient } from '../../session/client.tsx';

const maxCalls = 200;
const pollMs = 2_000;

export function useCalls(id: string, { live }: { live: boolean }) {
  const client = useClient();
  return useQuery({
    queryKey: ['workspace', 'executions', id, 'calls'],
    queryFn: () => client.executions.calls({ id, limit: maxCalls }),
    refetchInterval: live ? pollMs : false,
  });
}

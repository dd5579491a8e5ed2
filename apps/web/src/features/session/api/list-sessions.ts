import { useQuery } from '@tanstack/react-query';
import { useClient } from '../client.tsx';

export function useSessions() {
  const client = useClient();
  return useQuery({
    queryKey: ['workspace', 'sessions'],
    queryFn: () => client.sessions.list({ limit: 200 }),
  });
}

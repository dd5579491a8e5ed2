import { useQuery } from '@tanstack/react-query';
import { useClient } from '../../session/client.tsx';

/** Who is signed in, where, and on what server. */
export function useMe() {
  const client = useClient();
  return useQuery({ queryKey: ['workspace', 'me'], queryFn: () => client.me.get() });
}

import { useQuery } from '@tanstack/react-query';
import { useClient } from '../../session/client.tsx';

/** The account, workspace and server of this session. */
export function useMe() {
  const client = useClient();
  return useQuery({ queryKey: ['workspace', 'me'], queryFn: () => client.me.get() });
}

import { useQuery } from '@tanstack/react-query';
import { useClient } from '../../session/client.tsx';

export function useInteraction(id: string) {
  const client = useClient();
  return useQuery({
    queryKey: ['workspace', 'interactions', 'one', id],
    queryFn: () => client.interactions.get({ id }),
  });
}

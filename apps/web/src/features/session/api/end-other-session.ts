import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useClient } from '../client.tsx';

export function useEndOtherSession() {
  const client = useClient();
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => client.sessions.remove({ id }),
    // Also after a failure, because the session may have ended already.
    onSettled() {
      void queryClient.invalidateQueries({ queryKey: ['workspace'] });
    },
  });
}

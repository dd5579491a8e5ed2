import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useClient } from '../../session/client.tsx';

export function useRevokeApiKey({ onSuccess }: { onSuccess: () => void }) {
  const client = useClient();
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => client.apiKeys.remove({ id }),
    onSuccess,
    // Also after a failure: it may be one because somebody else revoked the key already.
    onSettled() {
      void queryClient.invalidateQueries({ queryKey: ['workspace'] });
    },
  });
}

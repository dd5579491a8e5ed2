import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useWithPresence } from '../../presence/presence.tsx';
import { useClient } from '../../session/client.tsx';

export function useRevokeApiKey({ onSuccess }: { onSuccess: () => void }) {
  const client = useClient();
  const queryClient = useQueryClient();
  const withPresence = useWithPresence();
  return useMutation({
    mutationFn: (id: string) => withPresence((presence) => client.apiKeys.remove({ id }, { presence })),
    onSuccess,
    // Also after a failure, because another user may have revoked the key already.
    onSettled() {
      void queryClient.invalidateQueries({ queryKey: ['workspace'] });
    },
  });
}

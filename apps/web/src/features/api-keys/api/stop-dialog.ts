import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useWithPresence } from '../../presence/presence.tsx';
import { useClient } from '../../session/client.tsx';

/** Stops the client with this key from answering approvals in its own dialog. This page cannot allow it again. */
export function useStopDialog({ onSuccess }: { onSuccess: () => void }) {
  const client = useClient();
  const queryClient = useQueryClient();
  const withPresence = useWithPresence();
  return useMutation({
    mutationFn: (id: string) =>
      withPresence((presence) => client.apiKeys.update({ id, allowDialog: false }, { presence })),
    onSuccess,
    onSettled() {
      void queryClient.invalidateQueries({ queryKey: ['workspace'] });
    },
  });
}

import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useWithPresence } from '../../presence/presence.tsx';
import { useClient } from '../../session/client.tsx';

/** Takes back that approvals may be answered in the dialog of the client that holds a key. Nothing here gives it. */
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

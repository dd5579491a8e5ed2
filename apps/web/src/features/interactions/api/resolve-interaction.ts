import type { Resolution } from '@executor/protocol';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useWithPresence } from '../../presence/presence.tsx';
import { useClient } from '../../session/client.tsx';
import { forgetPending } from './list-pending-interactions.ts';

export function useResolveInteraction(id: string) {
  const client = useClient();
  const queryClient = useQueryClient();
  const withPresence = useWithPresence();
  return useMutation({
    mutationFn: (resolution: Resolution) =>
      withPresence((presence) => client.interactions.resolve({ id, ...resolution }, { presence })),
    onSuccess(interaction) {
      queryClient.setQueryData(['workspace', 'interactions', 'one', id], interaction);
      forgetPending(queryClient, [id]);
    },
    // Also after a failure, because another answer may have been first and must be shown.
    onSettled() {
      void queryClient.invalidateQueries({ queryKey: ['workspace', 'interactions'] });
    },
    // A form may hold a secret.
    gcTime: 0,
  });
}

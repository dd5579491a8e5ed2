import type { ResolutionOfSeveral } from '@executor/protocol';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useWithPresence } from '../../presence/presence.tsx';
import { useClient } from '../../session/client.tsx';
import { forgetPending } from './list-pending-interactions.ts';

/** Gives several questions the same answer. The response lists those that could not be answered, and why. */
export function useResolveSeveral() {
  const client = useClient();
  const queryClient = useQueryClient();
  const withPresence = useWithPresence();
  return useMutation({
    mutationFn: (resolution: ResolutionOfSeveral) =>
      withPresence((presence) => client.interactions.resolveSeveral(resolution, { presence })),
    onSuccess({ items }) {
      forgetPending(
        queryClient,
        items.filter(({ interaction }) => interaction !== undefined).map(({ id }) => id),
      );
    },
    onSettled() {
      void queryClient.invalidateQueries({ queryKey: ['workspace', 'interactions'] });
    },
  });
}

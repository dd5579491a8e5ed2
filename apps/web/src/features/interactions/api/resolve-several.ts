import type { ResolutionOfSeveral } from '@executor/protocol';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useWithPresence } from '../../presence/presence.tsx';
import { useClient } from '../../session/client.tsx';
import { forgetPending } from './list-pending-interactions.ts';

/** Answers several in the same way, each for itself; the answer says which were not, and why. */
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

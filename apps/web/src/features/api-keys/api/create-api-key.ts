import type { PrincipalKind } from '@executor/protocol';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useWithPresence } from '../../presence/presence.tsx';
import { useClient } from '../../session/client.tsx';

export function useCreateApiKey() {
  const client = useClient();
  const queryClient = useQueryClient();
  const withPresence = useWithPresence();
  return useMutation({
    mutationFn: (key: { name: string; kind: PrincipalKind }) =>
      withPresence((presence) => client.apiKeys.create(key, { presence })),
    onSuccess() {
      void queryClient.invalidateQueries({ queryKey: ['workspace'] });
    },
    // The response holds the key itself, so it is dropped together with the dialog that shows it.
    gcTime: 0,
  });
}

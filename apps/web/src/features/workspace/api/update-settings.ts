import type { SettingsChange } from '@executor/protocol';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useClient } from '../../session/client.tsx';

export function useUpdateSettings({ onSuccess }: { onSuccess: () => void }) {
  const client = useClient();
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (change: SettingsChange) => client.settings.update(change),
    async onSuccess() {
      await queryClient.invalidateQueries({ queryKey: ['workspace'] });
      onSuccess();
    },
  });
}

import { useMutation } from '@tanstack/react-query';
import { useClient } from '../client.tsx';

export function useEndAllSessions({ onSuccess }: { onSuccess: () => void }) {
  const client = useClient();
  return useMutation({ mutationFn: () => client.sessions.removeAll(), onSuccess });
}

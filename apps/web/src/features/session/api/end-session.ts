import { useMutation } from '@tanstack/react-query';
import { useClient } from '../client.tsx';

export function useEndSession({ onSuccess }: { onSuccess: () => void }) {
  const client = useClient();
  return useMutation({ mutationFn: () => client.sessions.end(), onSuccess });
}

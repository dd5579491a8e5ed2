import { useMutation } from '@tanstack/react-query';
import { useClient } from '../client.tsx';
import { endSession } from '../session-store.ts';

export function useEndAllSessions() {
  const client = useClient();
  return useMutation({ mutationFn: () => endSession(() => client.sessions.removeAll()) });
}

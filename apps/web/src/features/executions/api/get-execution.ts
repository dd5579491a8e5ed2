import { isFinished } from '@executor/protocol';
import { useQuery } from '@tanstack/react-query';
import { useClient } from '../../session/client.tsx';

/** The stream of the workspace tells when a run is answered and when it ends; its logs and calls in between are looked for. */
const lookAgainMs = { running: 2_000, waiting: 10_000 };

export function useExecution(id: string) {
  const client = useClient();
  return useQuery({
    queryKey: ['workspace', 'executions', id],
    queryFn: () => client.executions.get({ id }),
    refetchInterval({ state: { data } }) {
      if (data === undefined || isFinished(data.status)) return false;
      return data.status === 'waiting' ? lookAgainMs.waiting : lookAgainMs.running;
    },
  });
}

import { isFinished } from '@executor/protocol';
import { useQuery } from '@tanstack/react-query';
import { useClient } from '../../session/client.tsx';

/** Events report answers and the end of a run. Its logs and calls in between are polled. */
const pollMs = { running: 2_000, waiting: 10_000 };

export function useExecution(id: string) {
  const client = useClient();
  return useQuery({
    queryKey: ['workspace', 'executions', id],
    queryFn: () => client.executions.get({ id }),
    refetchInterval({ state: { data } }) {
      if (data === undefined || isFinished(data.status)) return false;
      return data.status === 'waiting' ? pollMs.waiting : pollMs.running;
    },
  });
}

import { isFinished } from '@executor/protocol';
import { useQuery } from '@tanstack/react-query';
import { useClient } from '../../session/client.tsx';

/** The stream of the workspace tells when a run starts, waits and ends; its logs and calls in between are looked for. */
const lookAgainMs = 2_000;

export function useExecution(id: string) {
  const client = useClient();
  return useQuery({
    queryKey: ['workspace', 'executions', id],
    queryFn: () => client.executions.get({ id }),
    refetchInterval: ({ state }) => (state.data && !isFinished(state.data.status) ? lookAgainMs : false),
  });
}

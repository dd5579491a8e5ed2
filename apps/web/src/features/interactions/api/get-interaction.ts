import type { Interaction } from '@executor/protocol';
import { useQuery } from '@tanstack/react-query';
import { useClient } from '../../session/client.tsx';

/** How often to look for what happened to an approved call. Nothing notifies the page of it. */
const outcomeMs = 1_000;

export function useInteraction(id: string) {
  const client = useClient();
  return useQuery({
    queryKey: ['workspace', 'interactions', 'one', id],
    queryFn: () => client.interactions.get({ id }),
    refetchInterval: ({ state: { data } }) => (data && awaitsOutcome(data) ? outcomeMs : false),
  });
}

function awaitsOutcome({ resolution, outcome }: Interaction): boolean {
  const isForSending = resolution?.action === 'approve' || resolution?.action === 'retry';
  return isForSending && (outcome === undefined || outcome.status === 'sent');
}

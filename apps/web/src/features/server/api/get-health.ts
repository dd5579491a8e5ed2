import { createClient } from '@executor/client';
import { useQuery } from '@tanstack/react-query';

const patienceMs = 5_000;

const client = createClient({
  url: location.origin,
  fetch: (input, init) => fetch(input, { ...init, signal: AbortSignal.timeout(patienceMs) }),
});

/** Asked again and again while the page is looked at, and more often while nobody answers. */
export function useHealth() {
  return useQuery({
    queryKey: ['health'],
    queryFn: () => client.health.get(),
    staleTime: 0,
    refetchInterval: ({ state }) => (state.status === 'error' ? 1_000 : 5_000),
  });
}

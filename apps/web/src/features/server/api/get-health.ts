import { createClient } from '@executor/client';
import { useQuery } from '@tanstack/react-query';

const timeoutMs = 5_000;

const client = createClient({
  url: location.origin,
  fetch: (input, init) => fetch(input, { ...init, signal: AbortSignal.timeout(timeoutMs) }),
});

/** Polled while the page is visible, more often while the server does not answer. */
export function useHealth() {
  return useQuery({
    queryKey: ['health'],
    queryFn: () => client.health.get(),
    staleTime: 0,
    refetchInterval: ({ state }) => (state.status === 'error' ? 1_000 : 5_000),
  });
}

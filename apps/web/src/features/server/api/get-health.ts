import { createClient } from '@executor/client';
import { useQuery } from '@tanstack/react-query';
import { nonces } from '../../session/nonces.ts';
import { removeServiceWorkers } from '../../session/service-workers.ts';
import { noticeProcess } from '../../session/session-store.ts';

const timeoutMs = 5_000;

const client = createClient({
  url: location.origin,
  async fetch(input, init) {
    const response = await fetch(input, { ...init, signal: AbortSignal.timeout(timeoutMs) });
    if (noticeProcess(nonces.learnFrom(response))) void removeServiceWorkers();
    return response;
  },
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

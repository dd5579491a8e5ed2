import { QueryClient } from '@tanstack/react-query';

/**
 * The server is usually on this machine, so it can be reached while the browser is offline, and an immediate retry would fail too.
 * ConnectionBanner repeats failed queries when the server is back.
 */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: { networkMode: 'always', retry: false, staleTime: 2_000 },
    mutations: { networkMode: 'always', retry: false },
  },
});

import { QueryClient } from '@tanstack/react-query';

/**
 * The server is on this machine or near it: it can be reached while the browser thinks it is offline, and a second try at once would fail
 * like the first. What failed is asked again when the server is back (see ConnectionBanner).
 */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: { networkMode: 'always', retry: false, staleTime: 2_000 },
    mutations: { networkMode: 'always', retry: false },
  },
});

import { type Client, createClient } from '@executor/client';
import { createContext, type ReactNode, useContext, useMemo } from 'react';
import { dropSession } from './session-store.ts';

/** Slightly longer than the server's own limit for a request. */
const timeoutMs = 35_000;

const ClientContext = createContext<Client | undefined>(undefined);

/** Provides a client for the session of `token`. A 401 response ends the session. */
export function ClientProvider({ token, children }: { token: string; children: ReactNode }) {
  const client = useMemo(() => createSessionClient(token), [token]);
  return <ClientContext value={client}>{children}</ClientContext>;
}

export function useClient(): Client {
  const client = useContext(ClientContext);
  if (client === undefined) throw new Error('useClient is used outside of ClientProvider.');
  return client;
}

function createSessionClient(token: string): Client {
  return createClient({
    url: location.origin,
    sessionToken: token,
    timeoutMs,
    async fetch(input, init) {
      const response = await fetch(input, init);
      if (response.status === 401) dropSession(token, 'ended');
      return response;
    },
  });
}

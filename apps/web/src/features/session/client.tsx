import { type Client, createClient, RequestSigner } from '@executor/client';
import { ErrorBody, ExecutorError } from '@executor/protocol';
import { createContext, type ReactNode, useContext, useMemo } from 'react';
import { nonces } from './nonces.ts';
import { loadSessionKey } from './session-key.ts';
import { suspendSession } from './session-store.ts';

/** Slightly longer than the server's own limit for a request. */
const timeoutMs = 35_000;

const ClientContext = createContext<Client | undefined>(undefined);

/** Provides a client for a session. The error `unauthenticated` ends it in this tab. */
export function ClientProvider({ sessionId, children }: { sessionId: string; children: ReactNode }) {
  const client = useMemo(() => createSessionClient(sessionId), [sessionId]);
  return <ClientContext value={client}>{children}</ClientContext>;
}

export function useClient(): Client {
  const client = useContext(ClientContext);
  if (client === undefined) throw new Error('useClient is used outside of ClientProvider.');
  return client;
}

function createSessionClient(sessionId: string): Client {
  return createClient({
    url: location.origin,
    signer: new RequestSigner(keyOf(sessionId), nonces),
    timeoutMs,
    async fetch(input, init) {
      const response = await fetch(input, init);
      if (response.status === 401 && (await isEnd(response.clone()))) suspendSession(sessionId, 'ended');
      return response;
    },
  });
}

async function keyOf(sessionId: string): Promise<CryptoKey> {
  const key = await loadSessionKey(sessionId).catch(() => undefined);
  if (key) return key;
  suspendSession(sessionId, 'lostKey');
  throw new ExecutorError('unauthenticated', 'This browser has lost the key of its session.');
}

/** A process that has restarted asks for another signature with the same status. */
async function isEnd(response: Response): Promise<boolean> {
  const parsed = ErrorBody.safeParse(await response.json().catch(() => undefined));
  return parsed.success && parsed.data.error.code === 'unauthenticated';
}

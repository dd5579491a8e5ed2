import { createClient } from '@executor/client';
import { ExecutorError } from '@executor/protocol';
import { useQuery } from '@tanstack/react-query';
import { startSession } from '../session-store.ts';
import { takeWantedAddress } from '../wanted-address.ts';

/**
 * Redeems the code of a sign-in link. A query and not a mutation, though it changes something: a code can be redeemed once, and the cache
 * sees to it that it is, however often React runs what asks for it.
 */
export function useRedeemLink(code: string | undefined) {
  return useQuery({
    queryKey: ['session', 'link', code],
    queryFn: () => redeem(code as string),
    enabled: code !== undefined,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: Number.POSITIVE_INFINITY,
    retry: (_, error) => error instanceof ExecutorError && error.code === 'noServer',
    retryDelay: 1_000,
  });
}

async function redeem(code: string): Promise<{ sessionId: string }> {
  const session = await createClient({ url: location.origin }).sessions.create({ code });
  const wanted = takeWantedAddress();
  // Before the session starts, and with it the router, which then begins there.
  if (wanted !== undefined && location.pathname === '/') history.replaceState(null, '', wanted);
  startSession(session.token);
  return { sessionId: session.id };
}

import { createClient, RequestSigner } from '@executor/client';
import { ExecutorError } from '@executor/protocol';
import { useQuery } from '@tanstack/react-query';
import { nonces } from '../nonces.ts';
import { keepSessionKey, newSessionKey } from '../session-key.ts';
import { startSession } from '../session-store.ts';
import { takeWantedAddress } from '../wanted-address.ts';

/**
 * Redeems the code of a sign-in link. It is a query although it changes something: a code can be redeemed only once, and the cache
 * guarantees that, however often React runs the component.
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
  const { publicKey, privateKey } = await newSessionKey();
  const client = createClient({ url: location.origin, signer: new RequestSigner(privateKey, nonces) });
  const { id } = await client.sessions.create({ code, publicKey });
  await keepSessionKey(id, privateKey);
  const wanted = takeWantedAddress();
  // Must happen before the session starts, because the router then starts at this address.
  if (wanted !== undefined && location.pathname === '/') history.replaceState(null, '', wanted);
  startSession(id);
  return { sessionId: id };
}

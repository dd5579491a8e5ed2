import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useEffect, useSyncExternalStore } from 'react';
import { CenteredPanel } from '../../../ui/centered-panel.tsx';
import { useRedeemLink } from '../api/redeem-link.ts';
import { ClientProvider } from '../client.tsx';
import { currentSession, subscribeToSession } from '../session-store.ts';
import { useSignInCode } from '../sign-in-code.ts';
import { SignedOut } from './signed-out.tsx';

interface SessionGateProps {
  signInCode: string | undefined;
  children: ReactNode;
}

/** Shows its children only in a session. An expired link does not end a valid session. */
export function SessionGate({ signInCode, children }: SessionGateProps) {
  const session = useSyncExternalStore(subscribeToSession, currentSession);
  const link = useRedeemLink(useSignInCode(signInCode));
  const queryClient = useQueryClient();
  const isSignedOut = session.type === 'signedOut';

  // Data of one session must not be shown in the next.
  useEffect(() => {
    if (isSignedOut) queryClient.removeQueries({ predicate: ({ queryKey }) => queryKey[0] === 'workspace' });
  }, [isSignedOut, queryClient]);

  if (link.isLoading) {
    return (
      <CenteredPanel title="Signing in…">
        <p className="text-muted">This takes a moment.</p>
      </CenteredPanel>
    );
  }
  if (isSignedOut) return <SignedOut reason={session.reason} linkError={link.error} />;
  return (
    <ClientProvider key={session.id} sessionId={session.id}>
      {children}
    </ClientProvider>
  );
}

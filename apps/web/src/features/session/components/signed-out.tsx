import { useEffect } from 'react';
import { CenteredPanel } from '../../../ui/centered-panel.tsx';
import { CopyField } from '../../../ui/copy-field.tsx';
import { Message } from '../../../ui/message.tsx';
import { Notice } from '../../../ui/notice.tsx';
import type { SessionState } from '../session-store.ts';
import { keepWantedAddress } from '../wanted-address.ts';

type Reason = Extract<SessionState, { type: 'signedOut' }>['reason'];

const titles: Record<Reason, string> = {
  noSession: 'Sign in to Executor',
  ended: 'Your session has ended',
  signedOut: 'You are signed out',
  lostKey: 'Sign in again',
  updated: 'Sign in once more',
};

/** Why the user has to sign in again, if there is more to say. */
const explanations: Partial<Record<Reason, string>> = {
  lostKey: 'This browser no longer has the key of your session. It may have cleared the data of this page.',
  updated:
    'Executor was updated. Sessions are now bound to this browser, so the ones from before have ended.',
};

interface SignedOutProps {
  reason: Reason;
  /** Why the sign-in link failed. */
  linkError: Error | null;
}

export function SignedOut({ reason, linkError }: SignedOutProps) {
  useEffect(() => {
    if (reason !== 'signedOut') keepWantedAddress();
  }, [reason]);
  const showLinkError = linkError !== null && reason !== 'ended' && reason !== 'signedOut';
  return (
    <CenteredPanel title={showLinkError ? 'This link does not sign in' : titles[reason]}>
      {showLinkError && (
        <Notice look="danger">
          <Message text={linkError.message} />
        </Notice>
      )}
      {explanations[reason] && <p className="text-muted">{explanations[reason]}</p>}
      <p className="text-muted">
        To sign in, run <code className="font-mono text-ink">executor web</code> in a terminal. It opens this
        page with a link that works once. There is no password.
      </p>
      <CopyField label="In a terminal" value="executor web" />
      <p className="text-sm text-muted">
        No browser on that machine? <code className="font-mono">executor web --print</code> prints the link.
      </p>
    </CenteredPanel>
  );
}

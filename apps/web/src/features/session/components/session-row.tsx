import { browserName, type SessionSummary } from '@executor/protocol';
import { Badge } from '../../../ui/badge.tsx';
import { Button } from '../../../ui/button.tsx';
import { TimeAgo } from '../../../ui/time-ago.tsx';

interface SessionRowProps {
  session: SessionSummary;
  busy: boolean;
  onEnd: () => void;
}

export function SessionRow({ session, busy, onEnd }: SessionRowProps) {
  const { userAgent, openedAt, lastUsedAt, current } = session;
  const name = browserName(userAgent);
  return (
    <li className="flex items-center justify-between gap-3 px-5 py-3 sm:px-6">
      <div className="min-w-0">
        <p className="flex flex-wrap items-center gap-x-2 gap-y-1 text-sm">
          <span className="font-medium wrap-anywhere" title={userAgent}>
            {name}
          </span>
          {current && <Badge look="good">this browser</Badge>}
        </p>
        <p className="mt-1 flex flex-wrap gap-x-3 text-xs text-muted">
          <span>
            Signed in <TimeAgo at={openedAt} />
          </span>
          <span>
            Last used <TimeAgo at={lastUsedAt} />
          </span>
        </p>
      </div>
      {!current && (
        <Button aria-label={`Sign out ${name}`} busy={busy} onClick={onEnd}>
          Sign out
        </Button>
      )}
    </li>
  );
}

import type { ApiKey } from '@executor/protocol';
import { Badge } from '../../../ui/badge.tsx';
import { Button } from '../../../ui/button.tsx';
import { TimeAgo } from '../../../ui/time-ago.tsx';

interface ApiKeyRowProps {
  apiKey: ApiKey;
  onRevoke: () => void;
  onStopDialog: () => void;
}

export function ApiKeyRow({ apiKey, onRevoke, onStopDialog }: ApiKeyRowProps) {
  const { name, kind, hint, allowDialog, createdAt, lastUsedAt, revokedAt } = apiKey;
  const isRevoked = revokedAt !== undefined;
  return (
    <li className="flex items-center justify-between gap-3 px-5 py-3 sm:px-6">
      <div className={`min-w-0 ${isRevoked ? 'opacity-60' : ''}`}>
        <p className="flex flex-wrap items-center gap-x-2 gap-y-1 text-sm">
          <span className="font-medium wrap-anywhere">{name}</span>
          <span className="rounded-full border border-line px-2 text-xs leading-5 text-muted">{kind}</span>
          <code className="font-mono text-xs text-muted">…{hint}</code>
          {allowDialog && <Badge look="warn">may approve</Badge>}
        </p>
        <p className="mt-1 flex flex-wrap gap-x-3 text-xs text-muted">
          <span>
            Created <TimeAgo at={createdAt} />
          </span>
          <span>
            {lastUsedAt === undefined ? 'Never used' : <>Last used {<TimeAgo at={lastUsedAt} />}</>}
          </span>
          {isRevoked && (
            <span>
              Revoked <TimeAgo at={revokedAt} />
            </span>
          )}
        </p>
      </div>
      {!isRevoked && (
        <div className="flex shrink-0 items-stretch justify-end gap-2 max-sm:flex-col">
          {allowDialog && (
            <Button aria-label={`Stop approvals in the dialog of ${name}`} onClick={onStopDialog}>
              Stop approving
            </Button>
          )}
          <Button aria-label={`Revoke ${name}`} onClick={onRevoke}>
            Revoke
          </Button>
        </div>
      )}
    </li>
  );
}

import type { AuditEntry } from '@executor/protocol';
import { Button } from '../../../ui/button.tsx';
import { Card } from '../../../ui/card.tsx';
import { LoadingRows } from '../../../ui/loading-rows.tsx';
import { QueryFailure } from '../../../ui/query-failure.tsx';
import { Revealed } from '../../../ui/revealed.tsx';
import { TimeAgo } from '../../../ui/time-ago.tsx';
import { useKeyNames } from '../../api-keys/api/list-api-keys.ts';
import { useAudit } from '../api/list-audit.ts';
import { credentialPhrase, entrySentence } from '../entry-sentence.ts';

export function AuditCard() {
  const audit = useAudit();
  return (
    <Card title="Activity" description="Changes in this workspace, newest first.">
      {audit.isPending && <LoadingRows label="Loading the activity" />}
      {audit.isError && <QueryFailure error={audit.error} onRetry={audit.refetch} />}
      {audit.data?.length === 0 && <p className="px-5 py-6 text-sm text-muted sm:px-6">No changes yet.</p>}
      {audit.data && audit.data.length > 0 && (
        <ol aria-label="Activity" className="divide-y divide-line">
          {audit.data.map((entry) => (
            <AuditRow key={entry.id} entry={entry} />
          ))}
        </ol>
      )}
      {audit.hasNextPage && (
        <div className="border-t border-line px-3 py-2 sm:px-4">
          <Button look="quiet" busy={audit.isFetchingNextPage} onClick={() => audit.fetchNextPage()}>
            Show older activity
          </Button>
        </div>
      )}
    </Card>
  );
}

function AuditRow({ entry }: { entry: AuditEntry }) {
  const keyNames = useKeyNames();
  return (
    <li className="flex flex-col gap-x-4 gap-y-1 px-5 py-3 text-sm sm:flex-row sm:items-baseline sm:justify-between sm:px-6">
      <span className="min-w-0 wrap-anywhere">
        <Revealed text={entrySentence(entry, keyNames)} />
      </span>
      <span className="shrink-0 text-xs text-muted">
        {credentialPhrase(entry)} · <TimeAgo at={entry.at} />
      </span>
    </li>
  );
}

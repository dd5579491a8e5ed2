import { Button } from '../../../ui/button.tsx';
import { Card } from '../../../ui/card.tsx';
import { LoadingRows } from '../../../ui/loading-rows.tsx';
import { QueryFailure } from '../../../ui/query-failure.tsx';
import { useAudit } from '../api/list-audit.ts';
import { AuditRow } from './audit-row.tsx';

export function AuditCard() {
  const audit = useAudit();
  return (
    <Card title="Activity" description="Who did what in this workspace, the newest first.">
      {audit.isPending && <LoadingRows label="Loading the activity" />}
      {audit.isError && <QueryFailure error={audit.error} onRetry={audit.refetch} />}
      {audit.data?.length === 0 && (
        <p className="px-5 py-6 text-sm text-muted sm:px-6">Nothing happened yet.</p>
      )}
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

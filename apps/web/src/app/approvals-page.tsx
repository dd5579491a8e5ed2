import { usePendingInteractions } from '../features/interactions/api/list-pending-interactions.ts';
import { PendingList } from '../features/interactions/components/pending/pending-list.tsx';
import { RecentCard } from '../features/interactions/components/settled/recent-card.tsx';
import { LoadingRows } from '../ui/loading-rows.tsx';
import { QueryFailure } from '../ui/query-failure.tsx';
import { useTitle } from '../ui/use-title.ts';

export function ApprovalsPage() {
  const pending = usePendingInteractions();
  const count = pending.data?.items.length ?? 0;
  useTitle(count > 0 ? `(${count}) Approvals` : 'Approvals');
  return (
    <>
      <div>
        <h1 className="text-2xl font-semibold tracking-tight">Approvals</h1>
        <p className="mt-1 text-sm text-muted">Questions from runs. Each run waits for your answer.</p>
      </div>
      {pending.isPending && <LoadingRows label="Loading the questions" />}
      {pending.isError && !pending.data && <QueryFailure error={pending.error} onRetry={pending.refetch} />}
      {pending.data && <PendingList interactions={pending.data.items} hasMore={pending.data.hasMore} />}
      <RecentCard />
    </>
  );
}

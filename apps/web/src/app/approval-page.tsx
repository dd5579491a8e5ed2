import { ExecutorError } from '@executor/protocol';
import { Link } from '@tanstack/react-router';
import { useInteraction } from '../features/interactions/api/get-interaction.ts';
import { InteractionDetail } from '../features/interactions/components/question/interaction-detail.tsx';
import { kindNames } from '../features/interactions/words.ts';
import { LoadingRows } from '../ui/loading-rows.tsx';
import { QueryFailure } from '../ui/query-failure.tsx';
import { useTitle } from '../ui/use-title.ts';

export function ApprovalPage({ id }: { id: string }) {
  const { data, error, isPending, refetch } = useInteraction(id);
  useTitle(data ? kindNames[data.kind] : 'Approval');
  const isUnknown = error instanceof ExecutorError && error.code === 'notFound';
  return (
    <>
      <Link
        to="/approvals"
        className="flex items-center gap-1.5 self-start rounded text-sm text-muted hover:text-ink"
      >
        <span aria-hidden="true">←</span> All approvals
      </Link>
      {isPending && <LoadingRows label="Loading the question" rows={5} />}
      {isUnknown && (
        <div>
          <h1 className="text-xl font-semibold tracking-tight">There is no such question</h1>
          <p className="mt-2 text-muted">
            It may belong to another workspace, or to an old run that Executor has deleted.
          </p>
        </div>
      )}
      {error && !data && !isUnknown && <QueryFailure error={error} onRetry={refetch} />}
      {data && <InteractionDetail interaction={data} />}
    </>
  );
}

import { ExecutorError } from '@executor/protocol';
import { useExecution } from '../features/executions/api/get-execution.ts';
import { ExecutionDetail } from '../features/executions/components/execution-detail.tsx';
import { RunInteractions } from '../features/interactions/components/settled/run-interactions.tsx';
import { LoadingRows } from '../ui/loading-rows.tsx';
import { QueryFailure } from '../ui/query-failure.tsx';
import { useTitle } from '../ui/use-title.ts';

export function ExecutionPage({ id }: { id: string }) {
  const { data, error, isPending, refetch } = useExecution(id);
  useTitle(data ? `Run ${data.status}` : 'Run');
  const isUnknown = error instanceof ExecutorError && error.code === 'notFound';
  return (
    <>
      {isPending && <LoadingRows label="Loading the run" rows={5} />}
      {isUnknown && (
        <div>
          <h1 className="text-xl font-semibold tracking-tight">There is no such run</h1>
          <p className="mt-2 text-muted">Executor deletes finished runs after a while.</p>
        </div>
      )}
      {error && !data && !isUnknown && <QueryFailure error={error} onRetry={refetch} />}
      {data && (
        <ExecutionDetail execution={data}>
          <RunInteractions executionId={id} />
        </ExecutionDetail>
      )}
    </>
  );
}

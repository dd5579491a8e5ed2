import { usePendingInteractions } from '../../api/list-pending-interactions.ts';

/** The number of pending questions, beside the link to them. */
export function PendingCount() {
  const { data } = usePendingInteractions();
  const count = data?.items.length ?? 0;
  if (count === 0) return null;
  return (
    <span className="rounded-full bg-accent px-1.5 text-xs leading-5 font-semibold text-on-accent tabular-nums">
      {count}
      {data?.hasMore && '+'}
      <span className="sr-only"> waiting</span>
    </span>
  );
}

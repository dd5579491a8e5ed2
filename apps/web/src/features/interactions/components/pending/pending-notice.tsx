import { Link } from '@tanstack/react-router';
import { usePendingInteractions } from '../../api/list-pending-interactions.ts';

/** The number of pending questions, on the home page. */
export function PendingNotice() {
  const { data } = usePendingInteractions();
  const count = data?.items.length ?? 0;
  if (count === 0) return null;
  return (
    <Link
      to="/approvals"
      className="flex items-center justify-between gap-3 rounded-2xl border border-accent bg-surface px-5 py-4 shadow-xs hover:bg-sunken sm:px-6"
    >
      <span className="font-medium">
        {count === 1 ? 'One question waits for an answer' : `${count} questions wait for an answer`}
      </span>
      <span className="shrink-0 text-sm font-medium text-accent">
        Answer <span aria-hidden="true">→</span>
      </span>
    </Link>
  );
}

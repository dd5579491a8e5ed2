import type { Interaction } from '@executor/protocol';
import { Link } from '@tanstack/react-router';
import { Badge } from '../../../../ui/badge.tsx';
import { Revealed } from '../../../../ui/revealed.tsx';
import { TimeAgo } from '../../../../ui/time-ago.tsx';
import { kindNames, settledWord } from '../../words.ts';

/** A question in a list without answer buttons: its answer, or that it is pending. */
export function SettledRow({ interaction }: { interaction: Interaction }) {
  const { id, kind, tool, prompt, status, resolution, resolvedAt, createdAt } = interaction;
  const { word, look } =
    status === 'pending' ? { word: 'Pending', look: 'accent' as const } : settledWord(interaction);
  return (
    <li>
      <Link
        to="/approvals/$id"
        params={{ id }}
        className="flex flex-wrap items-center gap-x-3 gap-y-1 px-5 py-3 text-sm -outline-offset-2 hover:bg-sunken sm:px-6"
      >
        <Badge look={look}>{word}</Badge>
        <span className="min-w-0 wrap-anywhere">
          <Revealed text={(tool?.path ?? prompt).slice(0, 150)} />
          {kind !== 'approval' && <span className="text-muted"> · {kindNames[kind]}</span>}
        </span>
        {resolution?.reason && (
          <span className="min-w-0 text-muted wrap-anywhere">
            “<Revealed text={resolution.reason.slice(0, 120)} />”
          </span>
        )}
        <span className="ml-auto text-xs text-muted">
          <TimeAgo at={resolvedAt ?? createdAt} />
        </span>
      </Link>
    </li>
  );
}

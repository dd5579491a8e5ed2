import type { Interaction } from '@executor/protocol';
import { Link } from '@tanstack/react-router';
import { Badge } from '../../../../ui/badge.tsx';
import { Revealed } from '../../../../ui/revealed.tsx';
import { TimeAgo } from '../../../../ui/time-ago.tsx';
import { onEnterKey } from '../../enter-key.ts';
import { kindNames, summaryOf } from '../../words.ts';
import { EffectBadge } from '../question/effect-badge.tsx';

interface PendingRowProps {
  interaction: Interaction;
  selected: boolean;
  onToggle: () => void;
  /** Enter on the row or its checkbox. */
  onEnter: () => void;
}

export function PendingRow({ interaction, selected, onToggle, onEnter }: PendingRowProps) {
  const { id, kind, tool, prompt, createdAt } = interaction;
  const title = tool?.path ?? prompt;
  const { address, text } = summaryOf(interaction);
  const onKeyDown = onEnterKey(onEnter);

  return (
    <li className={`flex items-stretch ${selected ? 'bg-sunken' : ''}`}>
      {kind === 'approval' ? (
        <label className="flex shrink-0 cursor-pointer items-start px-3 pt-4 sm:pl-5">
          <input
            type="checkbox"
            checked={selected}
            onChange={onToggle}
            onKeyDown={onKeyDown}
            aria-label={`Select ${title.slice(0, 100)}`}
            className="size-4 accent-accent"
          />
        </label>
      ) : (
        <span className="w-10 shrink-0 sm:w-12" />
      )}
      <Link
        to="/approvals/$id"
        params={{ id }}
        data-interaction={id}
        onKeyDown={onKeyDown}
        className="-ml-2 flex min-w-0 grow flex-col gap-1 py-3 pr-4 pl-2 -outline-offset-2 hover:bg-sunken focus-visible:bg-sunken sm:pr-5"
      >
        <span className="flex items-start justify-between gap-2">
          <span className="flex min-w-0 flex-wrap items-center gap-x-2 gap-y-1">
            <span className="font-medium wrap-anywhere">
              <Short text={title} maxLength={150} />
            </span>
            {kind === 'approval' ? (
              <EffectBadge tool={tool} />
            ) : (
              <Badge look="accent">{kindNames[kind]}</Badge>
            )}
          </span>
          <span className="shrink-0 text-xs leading-6 text-muted">
            <TimeAgo at={createdAt} />
          </span>
        </span>
        {address && (
          <span className="font-mono text-xs leading-5 text-muted wrap-anywhere">
            <Short text={address} maxLength={160} />
          </span>
        )}
        {text && (
          <span className="font-mono text-xs leading-5 wrap-anywhere">
            <Short text={text} maxLength={160} />
          </span>
        )}
      </Link>
    </li>
  );
}

/** The beginning of a text. The page of the question shows all of it. */
function Short({ text, maxLength }: { text: string; maxLength: number }) {
  return (
    <>
      <Revealed text={text.slice(0, maxLength)} foldAt={maxLength} />
      {text.length > maxLength && '…'}
    </>
  );
}

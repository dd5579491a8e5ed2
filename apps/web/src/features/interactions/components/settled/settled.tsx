import { ExecutorError, type Interaction, outcomeSentence, wasNotSent } from '@executor/protocol';
import { Link } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { Badge } from '../../../../ui/badge.tsx';
import { Message } from '../../../../ui/message.tsx';
import { Revealed } from '../../../../ui/revealed.tsx';
import { TimeAgo } from '../../../../ui/time-ago.tsx';
import { useKeyNames } from '../../../api-keys/api/list-api-keys.ts';
import { useMe } from '../../../workspace/api/get-me.ts';
import { usePendingInteractions } from '../../api/list-pending-interactions.ts';
import { settledSentence, settledWord } from '../../words.ts';

interface SettledProps {
  interaction: Interaction;
  /** Why an answer from this page was refused. */
  error: Error | null;
}

/** The answer and the outcome of the call. It replaces the buttons and takes the focus from them. */
export function Settled({ interaction, error }: SettledProps) {
  const { data: me } = useMe();
  const keyNames = useKeyNames();
  const panel = useRef<HTMLElement>(null);
  const { resolution, resolvedAt, outcome } = interaction;
  const { word, look } = settledWord(interaction);
  useEffect(() => panel.current?.focus({ preventScroll: true }), []);
  return (
    <section
      ref={panel}
      tabIndex={-1}
      aria-label="Answer"
      className="flex flex-col gap-3 rounded-2xl border border-line bg-surface px-5 py-4 shadow-xs outline-none"
    >
      {isLate(error) && (
        <p role="status" className="text-sm text-warn wrap-anywhere">
          Your answer was too late and changed nothing. <Message text={error.message} />
        </p>
      )}
      <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <Badge look={look}>{word}</Badge>
        <span className="font-medium wrap-anywhere">
          {settledSentence(interaction, { actorId: me?.actor.id, keyNames })}
        </span>
        {resolvedAt && (
          <span className="text-sm text-muted">
            <TimeAgo at={resolvedAt} />
          </span>
        )}
      </p>
      {outcome && (
        <p role="status" className={`text-sm wrap-anywhere ${wasNotSent(outcome) ? 'text-warn' : ''}`}>
          <Message text={outcomeSentence(outcome)} />
        </p>
      )}
      {resolution?.reason && (
        <blockquote className="border-l-2 border-line pl-3 text-sm wrap-anywhere whitespace-pre-wrap">
          <Revealed text={resolution.reason} />
        </blockquote>
      )}
      <NextLinks id={interaction.id} executionId={interaction.executionId} />
    </section>
  );
}

/** Whether an answer was rejected because another one was first or the question was withdrawn. */
function isLate(error: Error | null): error is ExecutorError {
  return error instanceof ExecutorError && (error.code === 'conflict' || error.code === 'gone');
}

function NextLinks({ id, executionId }: { id: string; executionId: string }) {
  const { data } = usePendingInteractions();
  const left = data?.items.filter((interaction) => interaction.id !== id) ?? [];
  const next = left.at(-1);
  return (
    <p className="flex flex-wrap gap-x-5 gap-y-2 text-sm font-medium text-accent [&_a]:underline [&_a]:underline-offset-4">
      {next && (
        <Link to="/approvals/$id" params={{ id: next.id }}>
          Next question ({left.length} left)
        </Link>
      )}
      <Link to="/executions/$id" params={{ id: executionId }}>
        See the run
      </Link>
    </p>
  );
}

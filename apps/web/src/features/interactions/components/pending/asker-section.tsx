import { type AskerGroup, askerName, questionCount, type RunGroup } from '@executor/protocol';
import { Link } from '@tanstack/react-router';
import { useId, useState } from 'react';
import { Badge } from '../../../../ui/badge.tsx';
import { Button } from '../../../../ui/button.tsx';
import { Revealed } from '../../../../ui/revealed.tsx';
import { TimeAgo } from '../../../../ui/time-ago.tsx';
import { PendingRow } from './pending-row.tsx';
import { SelectAll } from './select-all.tsx';
import type { Selection } from './selection.ts';

/** A key with more questions shows only these, so that they do not bury the questions of others. */
const foldAt = 10;

interface AskerSectionProps {
  group: AskerGroup;
  /** The run of this key that the address names. */
  linkedRun: string | undefined;
  selection: Selection;
}

/** The questions of one key, by run. */
export function AskerSection({ group, linkedRun, selection }: AskerSectionProps) {
  const { askedBy, count, runs } = group;
  const [showsAll, setShowsAll] = useState(linkedRun !== undefined);
  const headingId = useId();
  const name = askerName(askedBy);
  return (
    <section
      aria-labelledby={headingId}
      className="overflow-hidden rounded-2xl border border-line bg-surface shadow-xs"
    >
      <div className="flex items-center gap-2 px-3 py-2.5 sm:px-5">
        <SelectAll
          label={`All approvals of ${name}`}
          interactions={runs.flatMap(({ interactions }) => interactions)}
          selection={selection}
        />
        <h2 id={headingId} className="min-w-0 text-sm font-semibold wrap-anywhere">
          <Revealed text={name} />, {questionCount(count)}
        </h2>
        <span className="ml-auto truncate font-mono text-xs text-muted">{askedBy.ownerId}</span>
      </div>
      {(showsAll ? runs : firstOf(runs)).map((run) => (
        <RunQuestions
          key={run.executionId}
          run={run}
          all={runs.find(({ executionId }) => executionId === run.executionId) ?? run}
          isOnly={runs.length === 1}
          isLinked={run.executionId === linkedRun}
          selection={selection}
        />
      ))}
      {count > foldAt && (
        <div className="border-t border-line px-3 py-1 sm:px-5">
          <Button
            look="quiet"
            className="text-xs"
            aria-expanded={showsAll}
            onClick={() => setShowsAll(!showsAll)}
          >
            {showsAll ? `Show ${foldAt}` : `Show all ${questionCount(count)}`}
          </Button>
        </div>
      )}
    </section>
  );
}

/** The oldest questions. */
function firstOf(runs: RunGroup[]): RunGroup[] {
  let left = foldAt;
  return runs.flatMap(({ executionId, interactions }) => {
    const shown = interactions.slice(0, left);
    left -= shown.length;
    return shown.length > 0 ? [{ executionId, interactions: shown }] : [];
  });
}

interface RunQuestionsProps {
  /** The questions to show. */
  run: RunGroup;
  /** The same run with all its questions. */
  all: RunGroup;
  /** The checkbox of the key already selects the only run. */
  isOnly: boolean;
  isLinked: boolean;
  selection: Selection;
}

function RunQuestions({ run, all, isOnly, isLinked, selection }: RunQuestionsProps) {
  const { executionId, interactions } = run;
  const [oldest] = interactions;
  const clientId = oldest?.askedBy.clientId;
  return (
    <div
      id={`run-${executionId}`}
      aria-current={isLinked || undefined}
      className={`scroll-mt-4 ${isLinked ? 'border-l-4 border-accent' : ''}`}
    >
      <div className="flex items-center gap-2 border-y border-line bg-sunken px-3 py-1.5 text-xs text-muted sm:px-5">
        {!isOnly && (
          <SelectAll
            label={`All approvals of run ${executionId}`}
            interactions={all.interactions}
            selection={selection}
          />
        )}
        <h3 className="min-w-0 wrap-anywhere">
          Run{' '}
          <Link to="/executions/$id" params={{ id: executionId }} className="font-mono hover:underline">
            {executionId}
          </Link>
          {clientId && (
            <>
              {' · '}
              <Revealed text={clientId} />
            </>
          )}
        </h3>
        {isLinked && <Badge look="accent">From your link</Badge>}
        <span className="ml-auto shrink-0">{oldest && <TimeAgo at={oldest.createdAt} />}</span>
      </div>
      <ul aria-label={`Waiting for an answer, run ${executionId}`} className="divide-y divide-line">
        {interactions.map((interaction) => (
          <PendingRow
            key={interaction.id}
            interaction={interaction}
            selected={selection.has(interaction.id)}
            onToggle={() => selection.set([interaction.id], !selection.has(interaction.id))}
            onEnter={() => selection.enter(interaction.id)}
          />
        ))}
      </ul>
    </div>
  );
}

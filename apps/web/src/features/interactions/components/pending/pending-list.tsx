import { groupByAsker, type Interaction } from '@executor/protocol';
import { Link, useNavigate } from '@tanstack/react-router';
import { useRef, useState } from 'react';
import { Button } from '../../../../ui/button.tsx';
import { useShortcuts } from '../../../../ui/use-shortcuts.ts';
import { activeRow, moveFocus } from '../../row-focus.ts';
import { KeysDialog, listKeys } from '../question/keys-dialog.tsx';
import { AnswerSeveralDialog } from './answer-several-dialog.tsx';
import { AskerSection } from './asker-section.tsx';
import { NothingPending } from './nothing-pending.tsx';
import type { Selection } from './selection.ts';
import { SelectionBar } from './selection-bar.tsx';
import { useLinkedRun } from './use-linked-run.ts';

interface PendingListProps {
  interactions: Interaction[];
  hasMore: boolean;
}

/**
 * The pending questions by key and run, oldest first. Several approvals can be answered in one step. It is also rendered when nothing is pending,
 * because a dialog may still have to show the result of an answer.
 */
export function PendingList({ interactions, hasMore }: PendingListProps) {
  const navigate = useNavigate();
  const list = useRef<HTMLDivElement>(null);
  const linkedRun = useLinkedRun();
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  // The questions themselves, not their ids: the answer is for what was shown, even if the list changes meanwhile.
  const [answering, setAnswering] = useState<{ action: 'approve' | 'deny'; interactions: Interaction[] }>();
  const [showsKeys, setShowsKeys] = useState(false);
  const selectedQuestions = interactions.filter(({ id }) => selected.has(id));

  /** Answers the selected questions, or the focused one if none is selected. */
  function answer(action: 'approve' | 'deny') {
    const id = activeRow(list.current);
    const active = interactions.filter((interaction) => interaction.id === id);
    const approvals = (selectedQuestions.length > 0 ? selectedQuestions : active).filter(
      ({ kind }) => kind === 'approval',
    );
    if (approvals.length > 0) setAnswering({ action, interactions: approvals });
  }

  const selection: Selection = {
    has: (id) => selected.has(id),
    set(ids, isSelected) {
      const others = [...selected].filter((id) => !ids.includes(id));
      setSelected(new Set(isSelected ? [...others, ...ids] : others));
    },
    enter(id) {
      if (selectedQuestions.length > 0) answer('approve');
      else navigate({ to: '/approvals/$id', params: { id } });
    },
    enterGroup: () => answer('approve'),
  };

  function clear() {
    setSelected(new Set());
  }

  useShortcuts({
    'j ArrowDown': () => moveFocus(list.current, 1),
    'k ArrowUp': () => moveFocus(list.current, -1),
    x: () => {
      if (activeRow(list.current) === undefined) moveFocus(list.current, 1);
      const active = interactions.find(({ id }) => id === activeRow(list.current));
      if (active?.kind === 'approval') selection.set([active.id], !selection.has(active.id));
    },
    a: () => answer('approve'),
    d: () => answer('deny'),
    '?': () => setShowsKeys(true),
    ...(selectedQuestions.length > 0 && { Escape: clear }),
  });

  return (
    <section aria-label="Waiting" className="flex flex-col gap-3">
      {linkedRun && !interactions.some(({ executionId }) => executionId === linkedRun) && (
        <p className="text-sm text-muted">
          Run{' '}
          <Link
            to="/executions/$id"
            params={{ id: linkedRun }}
            className="font-mono text-accent hover:underline"
          >
            {linkedRun}
          </Link>{' '}
          {hasMore
            ? 'is not among the questions below. Its page lists its own.'
            : 'has no pending questions.'}
        </p>
      )}
      {interactions.length === 0 && <NothingPending />}
      <div ref={list} className="flex flex-col gap-4 empty:hidden">
        {groupByAsker(interactions).map((group) => {
          const isLinked = group.runs.some(({ executionId }) => executionId === linkedRun);
          return (
            <AskerSection
              // A section that gets the linked run unfolds.
              key={`${group.askedBy.ownerId} ${isLinked ? linkedRun : ''}`}
              group={group}
              linkedRun={isLinked ? linkedRun : undefined}
              selection={selection}
            />
          );
        })}
      </div>
      <div
        className={`flex flex-wrap items-center justify-between gap-2 text-xs text-muted ${interactions.length === 0 ? 'hidden' : ''}`}
      >
        <p>{hasMore ? 'There are more. They appear as you answer these.' : ''}</p>
        <Button look="quiet" className="min-h-8 text-xs" onClick={() => setShowsKeys(true)}>
          Keyboard <kbd className="rounded border border-line px-1 font-mono">?</kbd>
        </Button>
      </div>
      {selectedQuestions.length > 0 && (
        <SelectionBar count={selectedQuestions.length} onAnswer={answer} onClear={clear} />
      )}
      {answering && (
        <AnswerSeveralDialog
          {...answering}
          onClose={() => setAnswering(undefined)}
          onDone={() => {
            setAnswering(undefined);
            clear();
          }}
        />
      )}
      {showsKeys && <KeysDialog keys={listKeys} onClose={() => setShowsKeys(false)} />}
    </section>
  );
}

import type { Interaction, ResolvedSeveral } from '@executor/protocol';
import { useLayoutEffect, useRef, useState } from 'react';
import { Button } from '../../../../ui/button.tsx';
import { Dialog } from '../../../../ui/dialog.tsx';
import { Message } from '../../../../ui/message.tsx';
import { Notice } from '../../../../ui/notice.tsx';
import { Revealed } from '../../../../ui/revealed.tsx';
import { TextArea } from '../../../../ui/text-area.tsx';
import { useResolveSeveral } from '../../api/resolve-several.ts';
import { isShortened } from '../../http-request.ts';
import { EffectBadge } from '../question/effect-badge.tsx';
import { InputView } from '../question/input-view.tsx';
import { RequestView } from '../question/request-view.tsx';

interface AnswerSeveralDialogProps {
  action: 'approve' | 'deny';
  interactions: Interaction[];
  onClose: () => void;
  onDone: () => void;
}

/**
 * Shows every call before it is answered. Enter approves only after all of them were visible. Until then the focus is on a button that
 * shows more.
 */
export function AnswerSeveralDialog({ action, interactions, onClose, onDone }: AnswerSeveralDialogProps) {
  const [reason, setReason] = useState('');
  const resolveSeveral = useResolveSeveral();
  const confirm = useRef<HTMLButtonElement>(null);
  const calls = useRef<HTMLUListElement>(null);
  const showMoreButton = useRef<HTMLButtonElement>(null);
  const [isRead, setIsRead] = useState(action === 'deny');

  /**
   * Moves the focus once everything was visible. The first check runs before the browser shows the dialog, so that Enter never
   * reaches the button that the browser focuses by itself.
   */
  function checkRead() {
    if (action === 'deny') return;
    const done = isAllRead(calls.current);
    if (done) confirm.current?.focus();
    else if (document.activeElement !== confirm.current) showMoreButton.current?.focus();
    setIsRead(done);
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: only when the dialog opens
  useLayoutEffect(checkRead, []);

  const failed = resolveSeveral.data?.items.filter(({ error }) => error !== undefined) ?? [];
  const phrase = interactions.length === 1 ? 'this call' : `these ${interactions.length} calls`;

  function answer() {
    const ids = interactions.map(({ id }) => id);
    const options = action === 'deny' && reason.trim() !== '' ? { reason } : {};
    resolveSeveral.mutate(
      { ids, action, ...options },
      { onSuccess: ({ items }) => items.every(({ error }) => error === undefined) && onDone() },
    );
  }

  if (failed.length > 0)
    return (
      <FailedAnswers
        failed={failed}
        total={interactions.length}
        interactions={interactions}
        onClose={onDone}
      />
    );
  return (
    <Dialog
      wide
      title={action === 'approve' ? `Approve ${phrase} once?` : `Deny ${phrase}?`}
      onClose={onClose}
    >
      <div className="flex flex-col gap-4">
        <ul
          ref={calls}
          aria-label="Calls"
          // Only the list scrolls, not the boxes in it. At its end, all of them were visible.
          className="flex max-h-[calc(100dvh-16rem)] min-h-40 flex-col gap-4 overflow-y-auto [&_section]:max-h-none [&_section]:shrink-0"
        >
          {interactions.map((interaction) => (
            <li key={interaction.id} className="flex shrink-0 flex-col gap-2">
              <p className="flex flex-wrap items-center gap-2 text-sm font-medium wrap-anywhere">
                <Revealed text={interaction.tool?.path ?? interaction.prompt} />
                <EffectBadge tool={interaction.tool} />
              </p>
              <RequestView interaction={interaction} />
              {isShortened(interaction.request) && (
                <>
                  <p className="text-sm font-medium">What the code passed</p>
                  <InputView input={interaction.tool?.input} />
                </>
              )}
            </li>
          ))}
        </ul>
        {action === 'deny' && (
          <TextArea
            label="Why?"
            hint="The code receives this text."
            maxLength={2_000}
            value={reason}
            onChange={(event) => setReason(event.target.value)}
          />
        )}
        {resolveSeveral.error && (
          <Notice look="danger">
            <Message text={resolveSeveral.error.message} />
          </Notice>
        )}
        <div className="flex flex-wrap justify-end gap-2">
          <Button onClick={onClose}>Cancel</Button>
          {!isRead && (
            <Button
              ref={showMoreButton}
              onClick={() => {
                showMore(calls.current);
                checkRead();
              }}
            >
              Show more
            </Button>
          )}
          <Button
            ref={confirm}
            // Holding Enter down must not approve calls that it has just scrolled to.
            onKeyDown={(event) => event.repeat && event.preventDefault()}
            look={action === 'approve' ? 'primary' : 'danger'}
            busy={resolveSeveral.isPending}
            onClick={answer}
          >
            {action === 'approve' ? 'Approve' : 'Deny'} {interactions.length === 1 ? 'it' : 'all'}
          </Button>
        </div>
      </div>
    </Dialog>
  );
}

/** Whether the list is at its end and nothing in it is folded. */
function isAllRead(calls: HTMLElement | null): boolean {
  return calls !== null && isAtEnd(calls) && firstFold(calls) === null;
}

/** Scrolls by a page, or opens the first folded text at the end. */
function showMore(calls: HTMLElement | null): void {
  if (calls === null) return;
  if (isAtEnd(calls)) {
    const fold = firstFold(calls);
    fold?.scrollIntoView({ block: 'nearest' });
    fold?.click();
  } else {
    calls.scrollBy({ top: calls.clientHeight * 0.9, behavior: 'instant' });
  }
}

function isAtEnd({ scrollTop, clientHeight, scrollHeight }: HTMLElement): boolean {
  return scrollTop + clientHeight >= scrollHeight - 1;
}

function firstFold(calls: HTMLElement): HTMLElement | null {
  return calls.querySelector('[aria-expanded="false"]');
}

interface FailedAnswersProps {
  failed: ResolvedSeveral['items'];
  total: number;
  interactions: Interaction[];
  onClose: () => void;
}

function FailedAnswers({ failed, total, interactions, onClose }: FailedAnswersProps) {
  return (
    <Dialog title={`${total - failed.length} of ${total} answered`} onClose={onClose}>
      <ul className="mb-4 flex flex-col gap-3 text-sm">
        {failed.map(({ id, error }) => (
          <li key={id} className="wrap-anywhere">
            <span className="font-medium">
              <Revealed text={interactions.find((interaction) => interaction.id === id)?.tool?.path ?? id} />
            </span>
            <span className="block text-muted">
              <Message text={error?.message ?? ''} />
            </span>
          </li>
        ))}
      </ul>
      <div className="flex justify-end">
        <Button look="primary" onClick={onClose}>
          Close
        </Button>
      </div>
    </Dialog>
  );
}

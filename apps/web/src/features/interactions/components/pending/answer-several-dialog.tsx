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
 * Shows every call before it is answered. Enter approves once all of them were in sight: until then the focus is on a button that reads
 * on.
 */
export function AnswerSeveralDialog({ action, interactions, onClose, onDone }: AnswerSeveralDialogProps) {
  const [reason, setReason] = useState('');
  const resolveSeveral = useResolveSeveral();
  const confirm = useRef<HTMLButtonElement>(null);
  const calls = useRef<HTMLUListElement>(null);
  const readOnButton = useRef<HTMLButtonElement>(null);
  const [isRead, setIsRead] = useState(action === 'deny');

  /**
   * Moves the focus once everything was in sight. The first check runs before the browser shows the dialog, so that Enter never
   * reaches the button that the browser focuses by itself.
   */
  function checkRead() {
    if (action === 'deny') return;
    const done = isAllRead(calls.current);
    if (done) confirm.current?.focus();
    else if (document.activeElement !== confirm.current) readOnButton.current?.focus();
    setIsRead(done);
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: only when the dialog opens
  useLayoutEffect(checkRead, []);

  const lost = resolveSeveral.data?.items.filter(({ error }) => error !== undefined) ?? [];
  const what = interactions.length === 1 ? 'this call' : `these ${interactions.length} calls`;

  function answer() {
    const ids = interactions.map(({ id }) => id);
    const why = action === 'deny' && reason.trim() !== '' ? { reason } : {};
    resolveSeveral.mutate(
      { ids, action, ...why },
      { onSuccess: ({ items }) => items.every(({ error }) => error === undefined) && onDone() },
    );
  }

  if (lost.length > 0)
    return <Lost lost={lost} total={interactions.length} interactions={interactions} onClose={onDone} />;
  return (
    <Dialog wide title={action === 'approve' ? `Approve ${what} once?` : `Deny ${what}?`} onClose={onClose}>
      <div className="flex flex-col gap-4">
        <ul
          ref={calls}
          aria-label="Calls"
          // Only the list scrolls, not the boxes in it: at its end, all of them were in sight.
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
              ref={readOnButton}
              onClick={() => {
                readOn(calls.current);
                checkRead();
              }}
            >
              Read on
            </Button>
          )}
          <Button
            ref={confirm}
            // Holding Enter down must not approve what it has just scrolled to.
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
function readOn(calls: HTMLElement | null): void {
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

interface LostProps {
  lost: ResolvedSeveral['items'];
  total: number;
  interactions: Interaction[];
  onClose: () => void;
}

function Lost({ lost, total, interactions, onClose }: LostProps) {
  return (
    <Dialog title={`${total - lost.length} of ${total} answered`} onClose={onClose}>
      <ul className="mb-4 flex flex-col gap-3 text-sm">
        {lost.map(({ id, error }) => (
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
          All right
        </Button>
      </div>
    </Dialog>
  );
}

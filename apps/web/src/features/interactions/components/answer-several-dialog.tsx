import type { Interaction, ResolvedSeveral } from '@executor/protocol';
import { useEffect, useRef, useState } from 'react';
import { Button } from '../../../ui/button.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { Message } from '../../../ui/message.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { Revealed } from '../../../ui/revealed.tsx';
import { TextArea } from '../../../ui/text-area.tsx';
import { useResolveSeveral } from '../api/resolve-several.ts';
import { isShortened } from '../http-request.ts';
import { EffectBadge } from './effect-badge.tsx';
import { InputView } from './input-view.tsx';
import { RequestView } from './request-view.tsx';

interface AnswerSeveralDialogProps {
  action: 'approve' | 'deny';
  interactions: Interaction[];
  onClose: () => void;
  onDone: () => void;
}

/** Shows all that is approved before it is: one step is not the same as unseen. */
export function AnswerSeveralDialog({ action, interactions, onClose, onDone }: AnswerSeveralDialogProps) {
  const [reason, setReason] = useState('');
  const resolveSeveral = useResolveSeveral();
  const confirm = useRef<HTMLButtonElement>(null);
  const calls = useRef<HTMLUListElement>(null);
  // After the dialog has taken the focus: Enter answers what it shows. What is too long to be seen at once takes more than that.
  const isWhole = !interactions.some(({ request }) => isShortened(request));
  useEffect(() => {
    if (action === 'approve' && isWhole && isAllInSight(calls.current)) confirm.current?.focus();
  }, [action, isWhole]);
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
        <ul ref={calls} aria-label="Calls" className="flex max-h-[60dvh] flex-col gap-4 overflow-y-auto">
          {interactions.map((interaction) => (
            <li key={interaction.id} className="flex flex-col gap-2">
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
            hint="The code that asked reads it, and may do better."
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
          <Button
            ref={confirm}
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

/** Whether nothing in it is folded, and no box in it, nor itself, scrolls. */
function isAllInSight(calls: HTMLElement | null): boolean {
  if (calls === null || calls.querySelector('[aria-expanded="false"]') !== null) return false;
  return [calls, ...calls.querySelectorAll('section')].every(
    ({ scrollHeight, clientHeight }) => scrollHeight <= clientHeight,
  );
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

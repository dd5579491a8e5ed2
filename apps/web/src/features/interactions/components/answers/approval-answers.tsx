import { type ReactNode, useState } from 'react';
import { Button } from '../../../../ui/button.tsx';
import { useShortcuts } from '../../../../ui/use-shortcuts.ts';
import { AnswerBar } from './answer-bar.tsx';
import type { AnswersProps } from './answers-props.ts';
import { DenyDialog } from './deny-dialog.tsx';
import { RememberDialog } from './remember-dialog.tsx';

export function ApprovalAnswers({ interaction, resolve }: AnswersProps) {
  const [dialog, setDialog] = useState<'deny' | 'remember'>();
  const close = () => setDialog(undefined);
  const approve = () => !resolve.isPending && resolve.mutate({ action: 'approve' });
  useShortcuts({ a: approve, d: () => setDialog('deny') });
  const { remember, tool } = interaction;
  return (
    <>
      <AnswerBar>
        <Button
          look={tool?.effect === 'destructive' ? 'danger' : 'primary'}
          busy={resolve.isPending}
          aria-keyshortcuts="a"
          onClick={approve}
        >
          Approve once
        </Button>
        <Button
          className="max-sm:order-2 max-sm:px-2"
          busy={resolve.isPending}
          onClick={() => resolve.mutate({ action: 'approve', scope: 'identical' })}
        >
          <Label onWide="Approve ">all identical in this run</Label>
        </Button>
        {remember && (
          <Button
            className="max-sm:order-3 max-sm:px-2"
            busy={resolve.isPending}
            onClick={() => setDialog('remember')}
          >
            <Label onWide="Approve and ">remember…</Label>
          </Button>
        )}
        <Button
          className="max-sm:order-1 sm:ml-auto"
          busy={resolve.isPending}
          aria-keyshortcuts="d"
          onClick={() => setDialog('deny')}
        >
          Deny…
        </Button>
      </AnswerBar>
      {dialog === 'deny' && <DenyDialog resolve={resolve} onClose={close} />}
      {dialog === 'remember' && remember && (
        <RememberDialog proposed={remember} input={tool?.input} resolve={resolve} onClose={close} />
      )}
    </>
  );
}

/** On a phone the beginning is only for screen readers, so that four buttons fit in two rows. */
function Label({ onWide, children }: { onWide: string; children: ReactNode }) {
  return (
    <span className="inline-block max-sm:first-letter:uppercase">
      <span className="max-sm:sr-only">{onWide}</span>
      {children}
    </span>
  );
}

import { type FormEvent, useState } from 'react';
import { Button } from '../../../../ui/button.tsx';
import { Dialog } from '../../../../ui/dialog.tsx';
import { Message } from '../../../../ui/message.tsx';
import { Notice } from '../../../../ui/notice.tsx';
import { TextArea } from '../../../../ui/text-area.tsx';
import type { AnswersProps } from './answers-props.ts';

interface DenyDialogProps {
  resolve: AnswersProps['resolve'];
  onClose: () => void;
}

export function DenyDialog({ resolve, onClose }: DenyDialogProps) {
  const [reason, setReason] = useState('');
  const [identical, setIdentical] = useState(false);

  function submit(event: FormEvent) {
    event.preventDefault();
    resolve.mutate({
      action: 'deny',
      ...(reason.trim() !== '' && { reason }),
      ...(identical && { scope: 'identical' as const }),
    });
  }

  return (
    <Dialog title="Deny this call?" onClose={onClose}>
      <form onSubmit={submit} className="flex flex-col gap-4">
        <TextArea
          label="Why?"
          hint="The code receives this text."
          maxLength={2_000}
          value={reason}
          onChange={(event) => setReason(event.target.value)}
        />
        <label className="flex items-center gap-2.5 text-sm">
          <input
            type="checkbox"
            checked={identical}
            onChange={(event) => setIdentical(event.target.checked)}
            className="size-4 accent-accent"
          />
          Also deny all identical calls in this run
        </label>
        {resolve.error && (
          <Notice look="danger">
            <Message text={resolve.error.message} />
          </Notice>
        )}
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="danger" busy={resolve.isPending}>
            Deny
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

import type { ApiKey } from '@executor/protocol';
import { Button } from '../../../ui/button.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { Message } from '../../../ui/message.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { useStopDialog } from '../api/stop-dialog.ts';

interface StopDialogDialogProps {
  apiKey: ApiKey;
  onClose: () => void;
}

export function StopDialogDialog({ apiKey, onClose }: StopDialogDialogProps) {
  const stopDialog = useStopDialog({ onSuccess: onClose });
  return (
    <Dialog title={`Stop approvals with “${apiKey.name}”?`} onClose={onClose}>
      <div className="flex flex-col gap-4">
        <p className="text-sm text-muted">
          The client with this key can ask its user for approvals in its own dialog. If you stop this, you
          answer the questions of its runs here or in a terminal. The key keeps working. To allow it again:{' '}
          <code className="font-mono text-ink wrap-anywhere">executor keys allow-dialog {apiKey.id}</code>
        </p>
        {stopDialog.error && (
          <Notice look="danger">
            <Message text={stopDialog.error.message} />
          </Notice>
        )}
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>Cancel</Button>
          <Button look="primary" busy={stopDialog.isPending} onClick={() => stopDialog.mutate(apiKey.id)}>
            Stop it
          </Button>
        </div>
      </div>
    </Dialog>
  );
}

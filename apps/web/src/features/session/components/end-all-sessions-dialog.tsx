import { Button } from '../../../ui/button.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { Message } from '../../../ui/message.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { useEndAllSessions } from '../api/end-all-sessions.ts';

export function EndAllSessionsDialog({ onClose }: { onClose: () => void }) {
  const endAll = useEndAllSessions();
  return (
    <Dialog title="Sign out everywhere?" onClose={onClose}>
      <div className="flex flex-col gap-4">
        <p className="text-sm text-muted">
          This ends all of your sessions, including this one, and sign-in links that were not used yet. Keys
          and runs are not affected. To sign in again, run{' '}
          <code className="font-mono text-ink">executor web</code>.
        </p>
        {endAll.error && (
          <Notice look="danger">
            <Message text={endAll.error.message} />
          </Notice>
        )}
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>Cancel</Button>
          <Button look="danger" busy={endAll.isPending} onClick={() => endAll.mutate()}>
            Sign out everywhere
          </Button>
        </div>
      </div>
    </Dialog>
  );
}

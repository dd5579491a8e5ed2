import { Button } from '../../../ui/button.tsx';
import { Message } from '../../../ui/message.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { useEndSession } from '../api/end-session.ts';

export function SignOutButton() {
  const endSession = useEndSession();
  return (
    <div className="flex flex-wrap items-center justify-end gap-3">
      {endSession.error && (
        <Notice look="danger">
          <Message text={`Not signed out. ${endSession.error.message}`} />
        </Notice>
      )}
      <Button busy={endSession.isPending} onClick={() => endSession.mutate()}>
        Sign out
      </Button>
    </div>
  );
}

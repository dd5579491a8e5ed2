import { useState } from 'react';
import { Button } from '../../../ui/button.tsx';
import { Card } from '../../../ui/card.tsx';
import { LoadingRows } from '../../../ui/loading-rows.tsx';
import { Message } from '../../../ui/message.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { QueryFailure } from '../../../ui/query-failure.tsx';
import { useEndOtherSession } from '../api/end-other-session.ts';
import { useSessions } from '../api/list-sessions.ts';
import { EndAllSessionsDialog } from './end-all-sessions-dialog.tsx';
import { SessionRow } from './session-row.tsx';

export function SessionsCard() {
  const sessions = useSessions();
  const endSession = useEndOtherSession();
  const [endingAll, setEndingAll] = useState(false);
  return (
    <Card
      title="Sessions"
      description="Browsers that are signed in. A session ends after 12 hours without use, and after a week."
      action={<Button onClick={() => setEndingAll(true)}>Sign out everywhere</Button>}
    >
      {endSession.error && (
        <Notice look="danger">
          <Message text={`Not signed out. ${endSession.error.message}`} />
        </Notice>
      )}
      {sessions.isPending && <LoadingRows label="Loading the sessions" />}
      {sessions.isError && <QueryFailure error={sessions.error} onRetry={sessions.refetch} />}
      {sessions.data && (
        <ul aria-label="Sessions" className="divide-y divide-line">
          {sessions.data.items.map((session) => (
            <SessionRow
              key={session.id}
              session={session}
              busy={endSession.isPending && endSession.variables === session.id}
              onEnd={() => endSession.mutate(session.id)}
            />
          ))}
        </ul>
      )}
      {endingAll && <EndAllSessionsDialog onClose={() => setEndingAll(false)} />}
    </Card>
  );
}

import { ApiKeysCard } from '../features/api-keys/components/api-keys-card.tsx';
import { AuditCard } from '../features/audit/components/audit-card.tsx';
import { PendingNotice } from '../features/interactions/components/pending/pending-notice.tsx';
import { ServerStatus } from '../features/server/components/server-status.tsx';
import { SessionsCard } from '../features/session/components/sessions-card.tsx';
import { WorkspaceCard } from '../features/workspace/components/workspace-card.tsx';

export function HomePage() {
  return (
    <>
      <h1 className="sr-only">Executor</h1>
      <PendingNotice />
      <WorkspaceCard title={<ServerStatus />} />
      <ApiKeysCard />
      <SessionsCard />
      <AuditCard />
    </>
  );
}

import { ApiKeysCard } from '../features/api-keys/components/api-keys-card.tsx';
import { AuditCard } from '../features/audit/components/audit-card.tsx';
import { ServerStatus } from '../features/server/components/server-status.tsx';
import { SignOutButton } from '../features/session/components/sign-out-button.tsx';
import { WorkspaceCard } from '../features/workspace/components/workspace-card.tsx';
import { Mark } from '../ui/mark.tsx';

export function HomePage() {
  return (
    <div className="mx-auto flex max-w-4xl flex-col gap-6 px-4 py-6 sm:px-6 sm:py-10">
      <header className="flex items-center justify-between gap-4">
        <h1 className="flex items-center gap-3 text-lg font-semibold tracking-tight">
          <Mark />
          Executor
        </h1>
        <SignOutButton />
      </header>
      <main className="flex flex-col gap-6">
        <WorkspaceCard title={<ServerStatus />} />
        <ApiKeysCard />
        <AuditCard />
      </main>
    </div>
  );
}

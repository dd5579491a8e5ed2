import type { Me } from '@executor/protocol';
import type { ReactNode } from 'react';
import { Card } from '../../../ui/card.tsx';
import { LoadingRows } from '../../../ui/loading-rows.tsx';
import { QueryFailure } from '../../../ui/query-failure.tsx';
import { useMe } from '../api/get-me.ts';
import { WorkspaceName } from './workspace-name.tsx';

const databases: Record<Me['server']['database'], string> = {
  pglite: 'PGlite, in Executor’s own folder',
  postgres: 'Postgres',
};

export function WorkspaceCard() {
  const me = useMe();
  return (
    <Card
      title={
        <span className="flex items-center gap-2.5">
          {me.isSuccess && <span aria-hidden="true" className="size-2.5 rounded-full bg-good" />}
          {me.isSuccess ? 'Executor is running' : 'Executor'}
        </span>
      }
      description={`at ${location.origin}`}
    >
      {me.isPending && <LoadingRows label="Loading the workspace" rows={4} />}
      {me.isError && <QueryFailure error={me.error} onRetry={me.refetch} />}
      {me.isSuccess && <Facts me={me.data} />}
    </Card>
  );
}

function Facts({ me }: { me: Me }) {
  return (
    <dl className="divide-y divide-line">
      <Fact name="Workspace">
        <WorkspaceName name={me.workspace.name} />
      </Fact>
      <Fact name="Organization">{me.organization.name}</Fact>
      <Fact name="Account">{me.actor.name}</Fact>
      <Fact name="Version">{me.server.version}</Fact>
      <Fact name="Database">{databases[me.server.database]}</Fact>
    </dl>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="flex flex-col gap-1 px-5 py-3 text-sm sm:min-h-14 sm:flex-row sm:items-center sm:gap-4 sm:px-6">
      <dt className="w-36 shrink-0 text-muted">{name}</dt>
      <dd className="min-w-0 flex-1 wrap-anywhere">{children}</dd>
    </div>
  );
}

import type { Me } from '@executor/protocol';
import { type ReactNode, useState } from 'react';
import { Button } from '../../../ui/button.tsx';
import { Card } from '../../../ui/card.tsx';
import { LoadingRows } from '../../../ui/loading-rows.tsx';
import { QueryFailure } from '../../../ui/query-failure.tsx';
import { useMe } from '../api/get-me.ts';
import { WorkspaceNameForm } from './workspace-name-form.tsx';

const databases: Record<Me['server']['database'], string> = { pglite: 'PGlite', postgres: 'Postgres' };

export function WorkspaceCard({ title }: { title: ReactNode }) {
  const me = useMe();
  return (
    <Card title={title} description={`at ${location.origin}`}>
      {me.isPending && <LoadingRows label="Loading the workspace" rows={4} />}
      {me.isError && <QueryFailure error={me.error} onRetry={me.refetch} />}
      {me.data && <Facts me={me.data} />}
    </Card>
  );
}

function Facts({ me }: { me: Me }) {
  return (
    <dl className="grid grid-cols-2 gap-x-4 gap-y-5 px-5 py-5 text-sm sm:grid-cols-4 sm:px-6">
      <div className="col-span-full">
        <dt className="mb-1 text-muted">Workspace</dt>
        <dd>
          <WorkspaceName name={me.workspace.name} />
        </dd>
      </div>
      <Fact name="Organization" value={me.organization.name} />
      <Fact name="Account" value={me.actor.name} />
      <Fact name="Version" value={me.server.version} />
      <Fact name="Database" value={databases[me.server.database]} />
    </dl>
  );
}

function Fact({ name, value }: { name: string; value: string }) {
  return (
    <div>
      <dt className="mb-1 text-muted">{name}</dt>
      <dd className="wrap-anywhere">{value}</dd>
    </div>
  );
}

function WorkspaceName({ name }: { name: string }) {
  const [editing, setEditing] = useState(false);
  if (editing) return <WorkspaceNameForm name={name} onDone={() => setEditing(false)} />;
  return (
    <div className="flex items-center justify-between gap-3">
      <span className="min-w-0 text-lg font-medium wrap-anywhere">{name}</span>
      <Button aria-label="Rename the workspace" onClick={() => setEditing(true)}>
        Rename
      </Button>
    </div>
  );
}

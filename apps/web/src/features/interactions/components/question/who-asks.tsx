import type { Interaction } from '@executor/protocol';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { Revealed } from '../../../../ui/revealed.tsx';
import { TimeAgo } from '../../../../ui/time-ago.tsx';
import { useKeyNames } from '../../../api-keys/api/list-api-keys.ts';
import { useExecution } from '../../../executions/api/get-execution.ts';
import { useMe } from '../../../workspace/api/get-me.ts';
import { ownerPhrase } from '../../words.ts';

/** The account of the run, the credential that started it, the client's own name, and the time of the question. */
export function WhoAsks({ interaction }: { interaction: Interaction }) {
  const { executionId, createdAt, expiresAt, status } = interaction;
  const { data: execution } = useExecution(executionId);
  const { data: me } = useMe();
  const keyNames = useKeyNames();
  const actor = execution?.actorId === me?.actor.id ? me?.actor.name : execution?.actorId;
  return (
    <dl className="flex flex-wrap gap-x-6 gap-y-2 text-sm">
      <Fact name="Run">
        <Link
          to="/executions/$id"
          params={{ id: executionId }}
          className="font-mono text-xs text-accent underline underline-offset-4"
        >
          {executionId}
        </Link>
      </Fact>
      <Fact name="For">
        <Revealed text={actor ?? '…'} />
      </Fact>
      {execution?.ownerId && (
        <Fact name="Started with">
          <Revealed text={ownerPhrase(execution.ownerId, keyNames)} />
        </Fact>
      )}
      {execution?.clientId && (
        <Fact name="Client">
          <Revealed text={execution.clientId} />
        </Fact>
      )}
      <Fact name="Asked">
        <TimeAgo at={createdAt} />
      </Fact>
      {expiresAt && status === 'pending' && (
        <Fact name="Expires">{new Date(expiresAt).toLocaleString()}</Fact>
      )}
    </dl>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="flex flex-wrap items-baseline gap-x-1.5">
      <dt className="text-muted">{name}</dt>
      <dd className="font-medium wrap-anywhere">{children}</dd>
    </div>
  );
}

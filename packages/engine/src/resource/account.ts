import type { Principal, PrincipalKind } from '@executor/protocol';
import { ownerOf } from '../identity/owner.ts';
import type { NewExecutionRow } from '../ports/execution-store.ts';

/** Whoever is charged for a resource: one credential, and the workspace it belongs to. */
export interface Account {
  kind: PrincipalKind;
  /** The key, OAuth client, session or person that is charged. */
  key: string;
  workspaceId: string;
}

/** An agent that uses a person's credential is not charged to that person. */
export function accountOf(principal: Principal): Account {
  const { kind, workspaceId, apiKeyId, sessionId, actorId } = principal;
  const key = kind === 'agent' ? ownerOf(principal) : (apiKeyId ?? sessionId ?? actorId);
  return { kind, key, workspaceId };
}

export function accountOfRun({
  principalKind: kind,
  ownerId: key,
  workspaceId,
}: Pick<NewExecutionRow, 'principalKind' | 'ownerId' | 'workspaceId'>): Account {
  return { kind, key, workspaceId };
}

/** Whoever sends requests whose credential is not known yet. */
export function accountOfAddress(address: string): Account {
  return { kind: 'agent', key: `address ${address}`, workspaceId: '' };
}

/** People sign in through what agents leave free, so nobody counts as an agent before that. */
export function asNewcomer(address: Account): Account {
  return { ...address, kind: 'person' };
}

/** Leases, sweeps and other work that serves everybody. */
export const executorItself: Account = { kind: 'person', key: 'executor', workspaceId: '' };

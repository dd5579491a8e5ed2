import type { Principal, PrincipalKind } from '@executor/protocol';
import { isOAuthId } from './oauth-agent.ts';

/**
 * The owner of a run: a person, the key of an agent, an OAuth client, or all agents that use a person's own credential. Those agents must
 * not find that person's runs.
 */
export function ownerOf({ kind, apiKeyId, oauthId, actorId }: Principal): string {
  return kind === 'person' ? actorId : (apiKeyId ?? oauthId ?? agentsOf(actorId));
}

/** The principal that a run acts for, as far as its row shows. */
export function principalOfRun({ workspaceId, actorId, principalKind: kind, ownerId }: RunOwner): Principal {
  if (kind === 'person') return { kind, credential: 'apiKey', workspaceId, actorId };
  if (ownerId === agentsOf(actorId)) return { kind, credential: 'localToken', workspaceId, actorId };
  if (isOAuthId(ownerId)) return { kind, credential: 'oauth', workspaceId, actorId, oauthId: ownerId };
  return { kind, credential: 'apiKey', workspaceId, actorId, apiKeyId: ownerId };
}

interface RunOwner {
  workspaceId: string;
  actorId: string;
  principalKind: PrincipalKind;
  ownerId: string;
}

function agentsOf(actorId: string): string {
  return `agents-of-${actorId}`;
}

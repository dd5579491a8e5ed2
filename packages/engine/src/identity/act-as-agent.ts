import type { Principal } from '@executor/protocol';

/** Whoever comes through a door that is for agents is one, whatever else their credential would let them do. */
export function actAsAgent(principal: Principal): Principal {
  return { ...principal, kind: 'agent' };
}

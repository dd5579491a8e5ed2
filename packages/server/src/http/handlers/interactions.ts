import type { Engine } from '@executor/engine';
import type { Handlers } from '../handler.ts';

/** Approvals and other questions. Proof of a person may be in the body or in the header. */
export function interactionHandlers({ interactions }: Engine): Pick<Handlers, 'interactions'> {
  return {
    interactions: {
      list: (query, { principal }) => interactions.list(principal, query),
      get: ({ id }, { principal }) => interactions.get(principal, id),
      resolve: ({ id, ...resolution }, { principal, proof }) =>
        interactions.resolve(principal, id, { ...resolution, presence: proof }),
      resolveSeveral: (resolution, { principal, proof }) =>
        interactions.resolveSeveral(principal, { ...resolution, presence: proof }),
    },
  };
}

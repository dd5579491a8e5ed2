import type { Engine } from '@executor/engine';
import type { Handlers } from '../handler.ts';

/** What runs ask of people. The proof of a person was checked before, and goes no further. */
export function interactionHandlers({ interactions }: Engine): Pick<Handlers, 'interactions'> {
  return {
    interactions: {
      list: (query, { principal }) => interactions.list(principal, query),
      get: ({ id }, { principal }) => interactions.get(principal, id),
      resolve: ({ id, presence: _, ...resolution }, { principal }) =>
        interactions.resolve(principal, id, resolution),
      resolveSeveral: ({ presence: _, ...resolution }, { principal }) =>
        interactions.resolveSeveral(principal, resolution),
    },
  };
}

import type { Engine } from '@executor/engine';
import type { Handlers } from '../handler.ts';

/** The rules, and what they make of a call. */
export function policyHandlers({ policies }: Engine): Pick<Handlers, 'policies'> {
  return {
    policies: {
      list: (page, { principal }) => policies.list(principal, page),
      create: (policy, { principal }) => policies.create(principal, policy),
      update: ({ id, ...change }, { principal }) => policies.update(principal, id, change),
      async remove({ id }, { principal }) {
        await policies.remove(principal, id);
        return undefined;
      },
      explain: (question, { principal }) => policies.explain(principal, question),
    },
  };
}

import type { Engine } from '@executor/engine';
import type { Handlers } from '../handler.ts';

/** Policy rules, and the explanation of a decision. */
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

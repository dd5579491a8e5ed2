import type { Engine } from '@executor/engine';
import type { Handlers } from '../handler.ts';

/** Policy rules, and the explanation of a decision. */
export function policyHandlers({ policies }: Engine): Pick<Handlers, 'policies'> {
  return {
    policies: {
      list: (page, { principal }) => policies.list(principal, page),
      create: ({ strict, ...policy }, { principal }) => policies.create(principal, policy, { strict }),
      update: ({ id, strict, ...change }, { principal }) =>
        policies.update(principal, id, change, { strict }),
      async remove({ id }, { principal }) {
        await policies.remove(principal, id);
        return undefined;
      },
      explain: (question, { principal }) => policies.explain(principal, question),
    },
  };
}

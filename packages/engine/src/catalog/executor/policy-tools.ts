import type { Policies } from '../../policy/policies.ts';
import type { Tool } from '../../ports/source.ts';
import type { Store } from '../../ports/store.ts';
import { type BuiltInTools, toolDefaults } from './built-in-tools.ts';

interface Dependencies {
  store: Pick<Store, 'executions'>;
  policies: Pick<Policies, 'seenBy'>;
}

/** `tools.executor.policies.*`. */
export function policyTools({ store, policies }: Dependencies): BuiltInTools {
  return {
    tools,
    operations: {
      'executor.policies.list': async ({ call }) => {
        const execution = await store.executions.find(call.workspaceId, call.executionId);
        if (execution === undefined) return { type: 'error', message: 'The run no longer exists.' };
        return { type: 'value', value: { items: await policies.seenBy(execution) } };
      },
    },
  };
}

const tools: Tool[] = [
  {
    ...toolDefaults,
    path: 'executor.policies.list',
    description: 'Lists the rules that decide which calls of this run are allowed, without their conditions.',
    inputSchema: { type: 'object', additionalProperties: false, properties: {} },
  },
];

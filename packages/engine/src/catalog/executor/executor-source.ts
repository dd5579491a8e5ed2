import type { Source } from '../../ports/source.ts';
import { packTools } from '../tool-pack.ts';
import { artifactTools } from './artifact-tools.ts';
import { problemOf } from './built-in-tools.ts';
import { describeTools } from './describe-tools.ts';
import { discoverTools } from './discover-tools.ts';
import { policyTools } from './policy-tools.ts';
import { sourceTools } from './source-tools.ts';

type Dependencies = Parameters<typeof artifactTools>[0] &
  Parameters<typeof describeTools>[0] &
  Parameters<typeof discoverTools>[0] &
  Parameters<typeof policyTools>[0] &
  Parameters<typeof sourceTools>[0];

/** The namespaces of its tools. It is connected under each of them. */
export const builtInNamespaces = ['executor', 'describe', 'discover'];

/**
 * The built-in tools: `tools.executor.*`, `tools.describe.*`, `tools.discover`. Their calls are handled like those of
 * any other source.
 */
export function executorSource(dependencies: Dependencies): Source {
  const parts = [
    artifactTools(dependencies),
    policyTools(dependencies),
    sourceTools(dependencies),
    describeTools(dependencies),
    discoverTools(dependencies),
  ];
  const tools = parts.flatMap((part) => part.tools);
  const operations = new Map(parts.flatMap((part) => Object.entries(part.operations)));
  const previews = new Map(parts.flatMap((part) => Object.entries(part.previews ?? {})));
  const checks = new Map(parts.flatMap((part) => Object.entries(part.checks ?? {})));
  const shown = new Map(parts.flatMap((part) => Object.entries(part.shownInputs ?? {})));
  return {
    kind: 'executor',
    load: async (_settings, { namespace }) => ({
      tools: packTools(tools.filter(({ path }) => path.split('.', 1)[0] === namespace)),
      warnings: [],
    }),
    preview: ({ tool: { path }, input }) => ({ tool: path, input: previews.get(path)?.(input) ?? input }),
    async check({ tool: { path }, input }, { workspaceId }) {
      try {
        await checks.get(path)?.(input as never, workspaceId);
        return undefined;
      } catch (error) {
        return problemOf(error);
      }
    },
    shownInput: ({ path }, input) => shown.get(path)?.(input) ?? input,
    invoke(invocation) {
      const operation = operations.get(invocation.tool.path);
      if (operation === undefined) throw new RangeError(`There is no operation ${invocation.tool.path}.`);
      return operation(invocation);
    },
  };
}

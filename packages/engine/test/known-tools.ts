import type { KnownTools } from '../src/policy/rule-warnings.ts';
import type { Tool } from '../src/ports/source.ts';

/** A workspace with exactly these tools. */
export function knownTools(...tools: Tool[]): KnownTools {
  const namespaceOf = ({ path }: Tool) => path.split('.')[0] as string;
  return {
    find: async (_, path) => tools.find((tool) => tool.path === path),
    namespaces: async () => [...new Set(tools.map(namespaceOf))],
    paths: async (_, namespace) =>
      tools.filter((tool) => namespaceOf(tool) === namespace).map(({ path }) => path),
  };
}

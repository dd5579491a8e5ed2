import { type NewPolicy, nearest } from '@executor/protocol';
import { nearestPaths } from '../catalog/nearest-paths.ts';
import type { Tool } from '../ports/source.ts';
import type { RuledTool } from './decide.ts';
import { patternCovers } from './pattern.ts';
import { schemaFields } from './schema-fields.ts';

/** The tools of a workspace. */
export interface KnownTools {
  find(workspaceId: string, path: string): Promise<(Tool & RuledTool) | undefined>;
  namespaces(workspaceId: string): Promise<string[]>;
  /** The paths of all tools of a namespace; none if there is no such source. */
  paths(workspaceId: string, namespace: string): Promise<string[]>;
}

/** If a rule covers more tools, their schemas are not read for a warning. */
const maxTools = 300;

/**
 * Why a rule probably does not do what its author wants: no tool matches its pattern, or none of these tools has a field of its
 * conditions. Such a rule is valid: the source may be connected later.
 */
export async function ruleWarnings(
  { pattern, conditions }: Pick<NewPolicy, 'pattern' | 'conditions'>,
  tools: KnownTools,
  workspaceId: string,
): Promise<string[]> {
  if (pattern === '**') return [];
  const paths = await candidatePaths(pattern, tools, workspaceId);
  const matching = paths.filter((path) => patternCovers(pattern, path));
  if (matching.length === 0) return [noTool(pattern, nearestPattern(pattern, paths))];
  if (matching.length > maxTools || conditions.length === 0) return [];
  const found = await Promise.all(matching.map((path) => tools.find(workspaceId, path)));
  const inputs = found.filter((tool) => tool !== undefined).map(schemaFields);
  return [...new Set(conditions.map(({ field }) => field))]
    .filter((field) => !inputs.some((input) => input.mayHave(field)))
    .map((field) => {
      const meant = inputs.map((input) => input.nearest(field)).find((name) => name !== undefined);
      return noField(
        field,
        matching.length === 1 ? `${matching[0]} has no` : `No tool of ${pattern} has the`,
        meant,
      );
    });
}

/** The tools of the namespace that the pattern names, or of the one that it probably means. */
async function candidatePaths(pattern: string, tools: KnownTools, workspaceId: string): Promise<string[]> {
  const [first = ''] = pattern.split('.', 1);
  const namespaces = await tools.namespaces(workspaceId);
  const meant = namespaces.includes(first) ? first : nearest(first, namespaces);
  const searched = first === '*' ? namespaces : meant === undefined ? [] : [meant];
  const paths = await Promise.all(searched.map((namespace) => tools.paths(workspaceId, namespace)));
  return paths.flat();
}

/** The pattern with each segment replaced by the nearest one that exists; undefined if that covers nothing either. */
function nearestPattern(pattern: string, paths: string[]): string | undefined {
  const corrected: string[] = [];
  let reachable = paths.map((path) => path.split('.'));
  for (const [index, segment] of pattern.split('.').entries()) {
    const names = new Set(reachable.flatMap((path) => path[index] ?? []));
    const name = segment.startsWith('*') || names.has(segment) ? segment : nearest(segment, [...names]);
    if (name === undefined) break;
    corrected.push(name);
    if (!name.startsWith('*')) reachable = reachable.filter((path) => path[index] === name);
  }
  const isWhole = corrected.length === pattern.split('.').length;
  const open = [...(corrected.at(-1) === '*' ? corrected.slice(0, -1) : corrected), '**'].join('.');
  const candidates = isWhole ? [corrected.join('.'), open] : [];
  const covering = candidates.find((candidate) => paths.some((path) => patternCovers(candidate, path)));
  if (covering !== undefined || pattern.includes('*')) return covering;
  const { slips, alike } = nearestPaths(pattern, paths);
  return slips[0] ?? alike[0];
}

function noTool(pattern: string, meant: string | undefined): string {
  return `No tool matches ${pattern}.${meant === undefined ? '' : ` Did you mean ${meant}?`}`;
}

function noField(field: string, subject: string, meant: string | undefined): string {
  return `${subject} field ${field}.${meant === undefined ? '' : ` Did you mean ${meant}?`}`;
}

import type { DiscoveredTools } from '@executor/protocol';
import type { SearchOutcome } from './search.ts';

interface Told {
  outcome: SearchOutcome;
  results: DiscoveredTools['results'];
  /** What is searched. */
  namespaces: string[];
  /** Those of them that the request speaks of by their names. */
  named: string[];
  isNarrowed: boolean;
  /** Sources whose index is not there yet. */
  late: string[];
}

const maxNames = 8;

/** One or two sentences on how to ask better, or on what to do with the answer. */
export function hintFor({ outcome, results, namespaces, named, isNarrowed, late }: Told): string {
  const notes = [
    ...(outcome.found.length === 0
      ? [nothing(outcome, { namespaces, named, isNarrowed })]
      : [narrower(outcome, namespaces, isNarrowed)]),
    ...provided(results),
    ...(late.length > 0
      ? [`Not searched, for want of an index: ${listed(late)}. Ask again in a moment.`]
      : []),
  ];
  return notes.filter(Boolean).join(' ');
}

function nothing(
  { unknown }: SearchOutcome,
  { namespaces, named: [named], isNarrowed }: Pick<Told, 'namespaces' | 'named' | 'isNarrowed'>,
): string {
  if (named !== undefined)
    return `No tool fits by what it does. tools.describe.namespace({ path: ${JSON.stringify(named)} }) lists what ${named} has.`;
  const words = unknown.length > 0 ? ` (no tool knows: ${listed(unknown)})` : '';
  const where = isNarrowed ? `Search without namespace, or` : `There are ${listed(namespaces)};`;
  return `Nothing fits${words}. ${where} tools.describe.namespace({ path }) lists what there is.`;
}

function narrower(
  { found, total, isLastResort }: SearchOutcome,
  namespaces: string[],
  isNarrowed: boolean,
): string {
  if (isLastResort) return 'No tool is made for this; what is listed searches for anything.';
  if (total <= found.length) return '';
  const several = new Set(found.map(({ path }) => path.split('.', 1)[0])).size > 1;
  const how = !isNarrowed && several && namespaces.length > 1 ? 'Say more, or give a namespace' : 'Say more';
  return `${total} tools come near. ${how} to narrow it.`;
}

/** Only of the first: the others are alternatives to it. */
function provided(results: DiscoveredTools['results']): string[] {
  const [best] = results;
  const provider = results.find(({ provides }) => provides !== undefined && provides.to === best?.path);
  if (best === undefined || provider?.provides === undefined) return [];
  const { parameter } = provider.provides;
  const what = parameter === undefined ? 'finds by its name what' : `gives the ${parameter} that`;
  return [`${provider.path} ${what} ${best.path} needs.`];
}

function listed(names: string[]): string {
  const more = names.length - maxNames;
  const shown = names.slice(0, maxNames).map((name) => name.slice(0, 40));
  return `${shown.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

import type { SearchOutcome } from '../../ports/discovery.ts';

interface HintContext {
  outcome: SearchOutcome;
  /** The searched namespaces. */
  namespaces: string[];
  /** The searched namespaces that the request names. */
  named: string[];
  isNarrowed: boolean;
  /** Sources that have no index yet. */
  late: string[];
}

const maxNames = 8;

/** One or two sentences about how to improve the request, or how to use the results. */
export function hintFor({ outcome, namespaces, named, isNarrowed, late }: HintContext): string {
  const notes = [
    ...(outcome.found.length === 0
      ? [noFitNote(outcome, { namespaces, named, isNarrowed })]
      : [narrowingNote(outcome, namespaces, isNarrowed)]),
    ...(late.length > 0
      ? [`Not searched, because the index is not ready: ${listed(late)}. Search again in a moment.`]
      : []),
  ];
  return notes.filter(Boolean).join(' ');
}

function noFitNote(
  { unknown }: SearchOutcome,
  { namespaces, named: [named], isNarrowed }: Pick<HintContext, 'namespaces' | 'named' | 'isNarrowed'>,
): string {
  if (named !== undefined)
    return `No tool fits. tools.describe.namespace({ path: ${JSON.stringify(named)} }) lists the tools of ${named}.`;
  const words = unknown.length > 0 ? ` (unknown words: ${listed(unknown)})` : '';
  const where = isNarrowed ? 'Search without namespace.' : `The sources are ${listed(namespaces)}.`;
  return `No tool fits${words}. ${where} tools.describe.namespace({ path }) lists the tools of a source.`;
}

function narrowingNote(
  { found, total, isLastResort, isUnsure }: SearchOutcome,
  namespaces: string[],
  isNarrowed: boolean,
): string {
  if (isLastResort) return 'No tool fits. The results search for anything.';
  if (isUnsure)
    return `It is not sure that the first result fits. Compare the descriptions, or say more in the query.`;
  if (total <= found.length) return '';
  const several = new Set(found.map(({ path }) => path.split('.', 1)[0])).size > 1;
  const how = !isNarrowed && several && namespaces.length > 1 ? ', or pass a namespace' : '';
  return `${total} tools are similar. Add details to the query${how}.`;
}

function listed(names: string[]): string {
  const more = names.length - maxNames;
  const shown = names.slice(0, maxNames).map((name) => name.slice(0, 40));
  return `${shown.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

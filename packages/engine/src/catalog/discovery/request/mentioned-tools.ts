import { joined } from '../index/source-index.ts';
import type { CatalogView } from '../ranking/catalog-view.ts';
import type { Request } from './concepts.ts';

/** `issues.create`, `create_ticket`, `listForRepo`, `github/issues/list`. */
const words = /[a-z]\w*(?:[./:-]\w+)*/gi;
const maxNames = 64;
const longestName = 200;
/** What more are called says nothing of which one is meant. */
const maxAlike = 8;

/** Tools that a request calls by their names, in the order in which it does. */
export function mentionedTools(
  view: CatalogView,
  text: string,
  { isSeen }: Pick<Request, 'isSeen'>,
): number[] {
  const names = new Set((text.match(words) ?? []).filter(isName).slice(0, maxNames));
  const found = new Set<number>();
  for (const name of names) {
    const parts = partsOf(name);
    const seen = view.sources
      .flatMap(({ index }, source) => index.calledBy(parts).map((tool) => view.offsetOf(source) + tool))
      .filter(isSeen);
    if (seen.length <= maxAlike) for (const tool of seen) found.add(tool);
  }
  return [...found].slice(0, maxAlike);
}

/** Words of a sentence have neither points nor capitals in their midst. */
function isName(word: string): boolean {
  return word.length <= longestName && (/[._/:]/.test(word) || /^[a-z]+[A-Z]/.test(word));
}

/** As code writes it, it begins with `tools`. */
function partsOf(name: string): string[] {
  return name
    .replace(/^tools\./, '')
    .split(/[./:]/)
    .map(joined);
}

import { withoutSeparators } from '../index/open-index.ts';
import type { CatalogView } from '../ranking/catalog-view.ts';
import type { Request } from './concepts.ts';

/** `issues.create`, `create_ticket`, `listForRepo`, `github/issues/list`. */
const words = /[a-z]\w*(?:[./:-]\w+)*/gi;
const maxNames = 64;
const maxNameChars = 200;
/** A name that more tools have does not identify one. */
const maxNamesakes = 8;

/** The tools that a request names, in the order of the names. */
export function mentionedTools(
  view: CatalogView,
  text: string,
  { isVisible }: Pick<Request, 'isVisible'>,
): number[] {
  const names = new Set((text.match(words) ?? []).filter(isName).slice(0, maxNames));
  const found = new Set<number>();
  for (const name of names) {
    const parts = partsOf(name);
    const visible = view.sources
      .flatMap(({ index }, source) => index.toolsNamed(parts).map((tool) => view.offsetOf(source) + tool))
      .filter(isVisible);
    if (visible.length <= maxNamesakes) for (const tool of visible) found.add(tool);
  }
  return [...found].slice(0, maxNamesakes);
}

/** Ordinary words have no separators and no capitals inside. */
function isName(word: string): boolean {
  return word.length <= maxNameChars && (/[._/:]/.test(word) || /^[a-z]+[A-Z]/.test(word));
}

/** The segments of a name. Code writes it with `tools.` in front. */
function partsOf(name: string): string[] {
  return name
    .replace(/^tools\./, '')
    .split(/[./:]/)
    .map(withoutSeparators);
}

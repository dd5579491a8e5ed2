import type { CatalogView } from './catalog-view.ts';
import type { Request } from './request.ts';

/** `issues.create`, `create_ticket`, `listForRepo`, `github/issues/list`. */
const structured = /[a-z]\w*(?:[./:-]\w+)*/gi;
const mostMentions = 8;

/** Tools that a request calls by their names, in the order in which it does. */
export function mentionedTools(
  view: CatalogView,
  text: string,
  { isSeen }: Pick<Request, 'isSeen'>,
): number[] {
  const mentions = new Set((text.match(structured) ?? []).filter(isName).slice(0, mostMentions));
  const found = new Set<number>();
  for (const mention of mentions) {
    const tools = view.sources.flatMap(({ index }, source) =>
      index.calledBy(mention).map((tool) => view.offsetOf(source) + tool),
    );
    // What many are called says nothing of which one is meant.
    if (tools.length <= mostMentions) for (const tool of tools) if (isSeen(tool)) found.add(tool);
  }
  return [...found];
}

/** Words of a sentence have neither points nor capitals in their midst. */
function isName(mention: string): boolean {
  return /[._]/.test(mention) || /^[a-z]+[A-Z]/.test(mention);
}

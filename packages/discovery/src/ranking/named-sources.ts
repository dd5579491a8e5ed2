import type { Concept, Request } from '../request/concepts.ts';
import type { CatalogView } from './catalog-view.ts';
import { tuning } from './tuning.ts';

/** The factor of each source. A word that names a source raises its tools, and more so if it names few sources. */
export function sourceFactors({ sources }: CatalogView, { concepts }: Request): number[] {
  const factors = sources.map(() => 1);
  if (sources.length < 2) return factors;
  for (const { variants, weight } of concepts) {
    const shares = sources.map(({ terms }) => shareIn(terms, variants));
    const named = shares.filter((share) => share > 0).length;
    if (named === 0) continue;
    const rarity = Math.log((sources.length + 1) / (named + 0.5)) / Math.log(sources.length + 1);
    for (const [source, share] of shares.entries())
      factors[source] = (factors[source] as number) + tuning.source * weight * rarity * share ** 2;
  }
  return factors;
}

function shareIn(terms: ReadonlySet<string>, variants: Concept['variants']): number {
  let share = 0;
  for (const term of terms) share = Math.max(share, variants.get(term)?.weight ?? 0);
  return share;
}

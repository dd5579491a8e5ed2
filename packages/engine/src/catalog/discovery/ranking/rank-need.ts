import type { TermLists } from '../../../ports/indexer.ts';
import type { SearchedSource, SourceIndex } from '../index/source-index.ts';
import type { Concept, Request } from '../request/concepts.ts';
import type { Need } from '../request/needs.ts';
import type { CatalogView } from './catalog-view.ts';
import { type Hits, scoreOf } from './score.ts';
import { signFactor, type WantedActions, wantedActions } from './signs.ts';
import { tuning } from './tuning.ts';

export interface Ranking {
  need: Need;
  /** The scores of the best tools. */
  scores: Map<number, number>;
  /** The number of tools that match at least one concept. */
  total: number;
}

const maxCandidates = { whole: 100, clause: 60, segment: 24, plain: 24 } as const;

/**
 * Ranks tools for the needs of one request. The sum of the scores of a need's concepts selects the candidates. Then
 * three factors refine each score: how well the tool's name or summary matches, how much of the need the tool covers,
 * and its signs (`signs.ts`).
 */
export class NeedRanker {
  readonly #view: CatalogView;
  readonly #request: Request;
  readonly #concepts: Concept[];
  readonly #hits: Hits[];
  readonly #sums: Float32Array;
  readonly #touched: Uint32Array;

  constructor(view: CatalogView, request: Request, hits: Hits[]) {
    this.#view = view;
    this.#request = request;
    this.#concepts = request.concepts;
    this.#hits = hits;
    this.#sums = new Float32Array(view.total);
    this.#touched = new Uint32Array(view.total);
  }

  rank(need: Need): Ranking {
    const total = this.#sum(need);
    const top = this.#best(this.#touched.subarray(0, total), maxCandidates[need.part]);
    const context: NeedContext = { need, wanted: wantedActions(need, this.#request), matches: new Map() };
    const scoreFor = (tool: number) =>
      need.part === 'plain' ? (this.#sums[tool] as number) : this.#refine(tool, context);
    const scores = new Map(top.map((tool) => [tool, scoreFor(tool)]));
    for (const tool of this.#touched.subarray(0, total)) this.#sums[tool] = 0;
    return { need, scores, total };
  }

  /** The best visible tools in order. Ties go to the lower number. */
  #best(tools: Uint32Array, max: number): number[] {
    const sums = this.#sums;
    // Few tools are near the best. A floor that enough tools reach avoids sorting all of them.
    const floor = tools.length <= max * 4 ? 0 : floorOf(tools, sums, max);
    const kept = floor === 0 ? tools : tools.filter((tool) => (sums[tool] as number) >= floor);
    kept.sort((a, b) => (sums[b] as number) - (sums[a] as number) || a - b);
    const visible: number[] = [];
    for (const tool of kept) {
      if (visible.length === max) break;
      if (this.#request.isVisible(tool)) visible.push(tool);
    }
    // If many of the kept tools are hidden, enough visible ones may be below the floor.
    return visible.length === max || floor === 0
      ? visible
      : this.#best(
          tools.filter((tool) => this.#request.isVisible(tool)),
          max,
        );
  }

  #sum(need: Need): number {
    const [sums, touched] = [this.#sums, this.#touched];
    let count = 0;
    for (const concept of need.concepts) {
      const { tools, scores } = this.#hits[concept] as Hits;
      for (let at = 0; at < tools.length; at++) {
        const tool = tools[at] as number;
        const sum = sums[tool] as number;
        if (sum === 0) touched[count++] = tool;
        sums[tool] = sum + (scores[at] as number);
      }
    }
    this.#addSourceBonuses(need, count);
    return count;
  }

  /** A word that names a source raises all of its tools. */
  #addSourceBonuses({ concepts }: Need, count: number): void {
    const { sources } = this.#view;
    if (sources.length < 2) return;
    const bonuses = sources.map(() => 0);
    for (const concept of concepts) {
      const { variants, weight } = this.#concepts[concept] as Concept;
      const shares = sources.map(({ terms }) => shareIn(terms, variants));
      const named = shares.filter((share) => share > 0).length;
      if (named === 0) continue;
      const bonus = tuning.source * weight * Math.log(1 + (sources.length - named + 0.5) / (named + 0.5));
      shares.forEach((share, source) => {
        bonuses[source] = (bonuses[source] as number) + bonus * share * share;
      });
    }
    if (bonuses.every((bonus) => bonus === 0)) return;
    for (let position = 0; position < count; position++) {
      const tool = this.#touched[position] as number;
      this.#sums[tool] = (this.#sums[tool] as number) + (bonuses[this.#view.sourceOf(tool)] as number);
    }
  }

  #refine(tool: number, context: NeedContext): number {
    const source = this.#view.sourceOf(tool);
    const { index } = this.#view.sources[source] as SearchedSource;
    const local = tool - this.#view.offsetOf(source);
    const { need, wanted } = context;
    const { names, summaries } = index.data;
    const matching = { index, need, matches: this.#matchesIn(source, index, context) };
    const title = Math.max(
      tuning.nameShare * this.#titleFit(names, local, matching),
      this.#titleFit(summaries, local, matching),
    );
    const coverage = 1 - tuning.coverage + tuning.coverage * this.#coverage(tool, need);
    return (
      (this.#sums[tool] as number) *
      coverage *
      (1 + tuning.title * title) *
      signFactor({ index, tool: local }, wanted, this.#request)
    );
  }

  /** The terms of a source that match a concept of the need, and how surely. */
  #matchesIn(source: number, index: SourceIndex, { need, matches }: NeedContext): Map<number, Match> {
    const known = matches.get(source);
    if (known) return known;
    const found = new Map<number, Match>();
    for (const concept of need.concepts) {
      const { variants, weight: conceptWeight } = this.#concepts[concept] as Concept;
      for (const [term, { weight }] of variants) {
        const number = index.termNumber(term);
        if (number === undefined) continue;
        const share = weight * Math.min(1, conceptWeight * 1.5);
        if ((found.get(number)?.share ?? 0) < share) found.set(number, { concept, share });
      }
    }
    matches.set(source, found);
    return found;
  }

  /** Combines the share of a tool's title that the need mentions with the share of the need that the title mentions. */
  #titleFit({ starts, terms }: TermLists, tool: number, { index, need, matches }: TitleMatching): number {
    let [titleMass, foundMass, needMass] = [0, 0, 0];
    for (let position = starts[tool] as number; position < (starts[tool + 1] as number); position++) {
      const term = terms[position] as number;
      const termRarity = Math.log(1 + index.size / (index.toolCount(term) + 0.5)) + 0.3;
      titleMass += termRarity;
      const match = matches.get(term);
      if (match === undefined) continue;
      foundMass += termRarity * match.share;
      const { weight, rarity } = this.#concepts[match.concept] as Concept;
      needMass += match.share * weight * rarity;
    }
    if (titleMass === 0) return 0;
    return Math.sqrt((foundMass / titleMass) * Math.min(1, needMass / (need.mass || 1)));
  }

  #coverage(tool: number, need: Need): number {
    let covered = 0;
    for (const concept of need.concepts) {
      const { weight, rarity } = this.#concepts[concept] as Concept;
      covered += Math.min(weight * rarity, scoreOf(this.#hits[concept] as Hits, tool));
    }
    return covered / (need.mass || 1);
  }
}

interface NeedContext {
  need: Need;
  wanted: WantedActions;
  /** The matched terms of each source. */
  matches: Map<number, Map<number, Match>>;
}

interface TitleMatching {
  index: SourceIndex;
  need: Need;
  matches: Map<number, Match>;
}

interface Match {
  concept: number;
  share: number;
}

function shareIn(terms: ReadonlySet<string>, variants: Concept['variants']): number {
  let share = 0;
  for (const term of terms) share = Math.max(share, variants.get(term)?.weight ?? 0);
  return share;
}

const bins = 256;

/** A score that at least `count` tools reach. */
function floorOf(tools: Uint32Array, scores: Float32Array, count: number): number {
  let top = 0;
  for (const tool of tools) top = Math.max(top, scores[tool] as number);
  const counts = new Uint32Array(bins);
  for (const tool of tools) {
    const bin = Math.min(bins - 1, Math.floor(((scores[tool] as number) / top) * bins));
    counts[bin] = (counts[bin] as number) + 1;
  }
  let reached = 0;
  for (let bin = bins - 1; bin > 0; bin--) {
    reached += counts[bin] as number;
    if (reached >= count) return (bin / bins) * top;
  }
  return 0;
}

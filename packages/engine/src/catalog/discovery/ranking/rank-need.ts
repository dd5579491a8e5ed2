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
  /** The best tools, and what each is worth. */
  scores: Map<number, number>;
  /** How many tools have anything of it. */
  total: number;
}

const maxCandidates = { whole: 100, clause: 60, segment: 24, plain: 24 } as const;

/** Ranks tools for the needs of one request. */
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
    const asked: Asked = { need, wish: wantedActions(need, this.#request), matched: new Map() };
    const worth = (tool: number) =>
      need.part === 'plain' ? (this.#sums[tool] as number) : this.#refine(tool, asked);
    const scores = new Map(top.map((tool) => [tool, worth(tool)]));
    for (let place = 0; place < total; place++) this.#sums[this.#touched[place] as number] = 0;
    return { need, scores, total };
  }

  /** The best ones that may be seen, in order; of equals the first. */
  #best(tools: Uint32Array, most: number): number[] {
    const sums = this.#sums;
    // Most are far from the best: a floor that enough of them reach saves sorting them all.
    const floor = tools.length <= most * 4 ? 0 : floorOf(tools, sums, most);
    const kept = floor === 0 ? tools : tools.filter((tool) => (sums[tool] as number) >= floor);
    kept.sort((a, b) => (sums[b] as number) - (sums[a] as number) || a - b);
    const seen: number[] = [];
    for (const tool of kept) {
      if (seen.length === most) break;
      if (this.#request.isVisible(tool)) seen.push(tool);
    }
    // Where much is hidden, what can be seen is further down.
    return seen.length === most || floor === 0
      ? seen
      : this.#best(
          tools.filter((tool) => this.#request.isVisible(tool)),
          most,
        );
  }

  #sum(need: Need): number {
    const [sums, touched] = [this.#sums, this.#touched];
    let count = 0;
    for (const place of need.concepts) {
      const { tools, scores } = this.#hits[place] as Hits;
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

  /** A word that names a source speaks for all of its tools. */
  #addSourceBonuses({ concepts }: Need, count: number): void {
    const { sources } = this.#view;
    if (sources.length < 2) return;
    const bonuses = sources.map(() => 0);
    for (const place of concepts) {
      const { variants, weight } = this.#concepts[place] as Concept;
      const shares = sources.map(({ terms }) => shareIn(terms, variants));
      const named = shares.filter((share) => share > 0).length;
      if (named === 0) continue;
      const worth = tuning.source * weight * Math.log(1 + (sources.length - named + 0.5) / (named + 0.5));
      shares.forEach((share, source) => {
        bonuses[source] = (bonuses[source] as number) + worth * share * share;
      });
    }
    if (bonuses.every((bonus) => bonus === 0)) return;
    for (let place = 0; place < count; place++) {
      const tool = this.#touched[place] as number;
      this.#sums[tool] = (this.#sums[tool] as number) + (bonuses[this.#view.sourceOf(tool)] as number);
    }
  }

  #refine(tool: number, asked: Asked): number {
    const source = this.#view.sourceOf(tool);
    const { index } = this.#view.sources[source] as SearchedSource;
    const local = tool - this.#view.offsetOf(source);
    const matched = this.#matchedIn(source, index, asked);
    const { names, summaries } = index.data;
    const title = Math.max(
      tuning.nameShare * this.#titleFit(names, local, matched, index, asked.need),
      this.#titleFit(summaries, local, matched, index, asked.need),
    );
    const coverage = 1 - tuning.coverage + tuning.coverage * this.#coverage(tool, asked.need);
    return (
      (this.#sums[tool] as number) *
      coverage *
      (1 + tuning.title * title) *
      signFactor({ index, tool: local }, asked.wish, this.#request)
    );
  }

  /** Which terms of a source are asked for, by which concept, and how surely. */
  #matchedIn(source: number, index: SourceIndex, { need, matched }: Asked): Map<number, Match> {
    const known = matched.get(source);
    if (known) return known;
    const found = new Map<number, Match>();
    for (const concept of need.concepts) {
      const { variants, weight: own } = this.#concepts[concept] as Concept;
      for (const [term, { weight }] of variants) {
        const place = index.termNumber(term);
        if (place === undefined) continue;
        const share = weight * Math.min(1, own * 1.5);
        if ((found.get(place)?.share ?? 0) < share) found.set(place, { concept, share });
      }
    }
    matched.set(source, found);
    return found;
  }

  /** How much of what a tool is called was asked for, and how much of what was asked for it is called. */
  #titleFit(
    { starts, terms }: TermLists,
    tool: number,
    matched: Map<number, Match>,
    index: SourceIndex,
    need: Need,
  ): number {
    let [all, found, answered] = [0, 0, 0];
    for (let place = starts[tool] as number; place < (starts[tool + 1] as number); place++) {
      const term = terms[place] as number;
      const rarity = Math.log(1 + index.size / (index.toolCount(term) + 0.5)) + 0.3;
      all += rarity;
      const match = matched.get(term);
      if (match === undefined) continue;
      found += rarity * match.share;
      const { weight, rarity: own } = this.#concepts[match.concept] as Concept;
      answered += match.share * weight * own;
    }
    return all === 0 ? 0 : Math.sqrt((found / all) * Math.min(1, answered / (need.mass || 1)));
  }

  #coverage(tool: number, need: Need): number {
    let covered = 0;
    for (const place of need.concepts) {
      const { weight, rarity } = this.#concepts[place] as Concept;
      covered += Math.min(weight * rarity, scoreOf(this.#hits[place] as Hits, tool));
    }
    return covered / (need.mass || 1);
  }
}

/** A need, what it wants done, and which terms it asks for, by source. */
interface Asked {
  need: Need;
  wish: WantedActions;
  matched: Map<number, Map<number, Match>>;
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

/** A score that at least so many reach. */
function floorOf(tools: Uint32Array, scores: Float32Array, most: number): number {
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
    if (reached >= most) return (bin / bins) * top;
  }
  return 0;
}

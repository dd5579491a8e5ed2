import type { OpenIndex, SearchedSource } from '../index/open-index.ts';
import type { TermLists } from '../index/tool-index.ts';
import { type Meanings, type MeaningVectors, meaningsOf } from '../meaning/meanings.ts';
import type { Concept, Request } from '../request/concepts.ts';
import type { Need } from '../request/needs.ts';
import type { CatalogView } from './catalog-view.ts';
import { sourceFactors } from './named-sources.ts';
import { type Hits, scoreOf } from './score.ts';
import { signFactor, wantedActions } from './signs.ts';
import { tuning } from './tuning.ts';

export interface Ranking {
  need: Need;
  /** The scores of the best tools. */
  scores: Map<number, number>;
  /** How similar the meanings of tools are to that of the need; undefined if the need has none. */
  meanings: Meanings | undefined;
}

/** The number of tools whose words match best, and of those whose meaning is most similar, that are ranked. */
const maxByWords = 100;
const maxByMeaning = 50;

/**
 * Ranks tools for the needs of one request. The sum of the scores of a need's concepts selects the candidates. Then
 * four things refine each score: how well the tool's name or summary matches, how much of the need the tool covers, how
 * similar its meaning is, and its signs (`signs.ts`).
 */
export class NeedRanker {
  readonly #view: CatalogView;
  readonly #request: Request;
  readonly #concepts: Concept[];
  readonly #hits: Hits[];
  readonly #vectors: MeaningVectors;
  /** The factor of each source. */
  readonly #factors: number[];
  readonly #sums: Float32Array;
  readonly #touched: Uint32Array;

  constructor(view: CatalogView, request: Request, { hits, vectors }: Evidence) {
    this.#view = view;
    this.#request = request;
    this.#concepts = request.concepts;
    this.#hits = hits;
    this.#vectors = vectors;
    this.#factors = sourceFactors(view, request);
    this.#sums = new Float32Array(view.total);
    this.#touched = new Uint32Array(view.total);
  }

  rank(need: Need): Ranking {
    const count = this.#sum(need);
    const touched = this.#touched.slice(0, count);
    const meanings = meaningsOf(this.#view, need.text, this.#vectors);
    const candidates = new Set(this.#best(touched, this.#sums, maxByWords));
    if (meanings)
      for (const tool of this.#best(similarTools(meanings), meanings.similarities, maxByMeaning))
        candidates.add(tool);
    const wanted = wantedActions(need, this.#request);
    const context: NeedContext = { need, wanted, meanings, matches: new Map() };
    const scores = new Map([...candidates].map((tool) => [tool, this.#refine(tool, context)]));
    for (const tool of touched) this.#sums[tool] = 0;
    return { need, scores, meanings };
  }

  /** The best visible tools in order. Ties go to the lower number. */
  #best(tools: Uint32Array, sums: Float32Array, max: number): number[] {
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
          sums,
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
    return count;
  }

  #refine(tool: number, context: NeedContext): number {
    const source = this.#view.sourceOf(tool);
    const { index } = this.#view.sources[source] as SearchedSource;
    const local = tool - this.#view.offsetOf(source);
    const { need, wanted, meanings } = context;
    const { names, summaries } = index.data;
    const matching = { index, need, matches: this.#matchesIn(source, index, context) };
    const title = Math.max(
      tuning.nameShare * this.#titleFit(names, local, matching),
      this.#titleFit(summaries, local, matching),
    );
    const coverage = 1 - tuning.coverage + tuning.coverage * this.#coverage(tool, need);
    const words = ((this.#sums[tool] as number) / (need.mass || 1)) * coverage * (1 + tuning.title * title);
    return (
      (words + meaningScore(tool, meanings)) *
      signFactor(index.data.flags[local] as number, wanted) *
      (this.#factors[source] as number)
    );
  }

  /** The terms of a source that match a concept of the need, and how surely. */
  #matchesIn(source: number, index: OpenIndex, { need, matches }: NeedContext): Map<number, Match> {
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

/** What the tools are ranked by. */
interface Evidence {
  /** The tools that match each concept. */
  hits: Hits[];
  vectors: MeaningVectors;
}

interface NeedContext {
  need: Need;
  /** The kinds of actions that the need wants, as flags. */
  wanted: number;
  meanings: Meanings | undefined;
  /** The matched terms of each source. */
  matches: Map<number, Map<number, Match>>;
}

interface TitleMatching {
  index: OpenIndex;
  need: Need;
  matches: Map<number, Match>;
}

interface Match {
  concept: number;
  share: number;
}

function similarTools({ similarities, byModel }: Meanings): Uint32Array {
  const { minMeaning } = byModel ? tuning.model : tuning;
  return Uint32Array.from(similarities.keys()).filter((tool) => (similarities[tool] as number) > minMeaning);
}

/** What the meaning of a tool adds to its score. */
function meaningScore(tool: number, meanings: Meanings | undefined): number {
  if (meanings === undefined) return 0;
  const { meaning, minMeaning } = meanings.byModel ? tuning.model : tuning;
  return meaning * Math.max(0, (meanings.similarities[tool] as number) - minMeaning);
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

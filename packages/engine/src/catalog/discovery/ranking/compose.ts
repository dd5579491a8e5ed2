import type { SearchedSource } from '../index/source-index.ts';
import { flag } from '../index/tool-flags.ts';
import type { Request } from '../request/concepts.ts';
import type { Need } from '../request/needs.ts';
import type { CatalogView } from './catalog-view.ts';
import { fits } from './fit.ts';
import { commonProvidersOf, providersOf } from './providers.ts';
import type { Ranking } from './rank-need.ts';
import { tuning } from './tuning.ts';

export interface Found {
  /** Its number among all tools. */
  tool: number;
  score: number;
  /** The place of the need that it is for. */
  need: number;
  /** The tool that it provides for, and what. */
  provides?: { to: number; thing?: string };
  /** The request calls it by its name. */
  isCalled?: true;
}

/** For how many of the first tools providers are looked for. */
const maxProvided = 4;
const roomyLimit = 8;
const maxCommon = 2;

/**
 * Picks tools one by one, so that all of what was asked for is covered: each tool that is picked for a need leaves less for the next one of that need,
 * and brings those up that know what it needs.
 */
export function compose(view: CatalogView, rankings: Ranking[], request: Request, limit: number): Found[] {
  const pool = new Pool(view, rankings, request);
  const found: Found[] = [];
  while (found.length < limit) {
    const next = pool.take();
    if (next === undefined) break;
    found.push(next);
    if (found.length <= maxProvided) pool.provideFor(next);
  }
  const last = lastPlaces(found, pool, limit);
  return [...found.slice(0, limit - last.length), ...last];
}

/**
 * What is to be done besides, where nothing was found for it among better answers to the rest; and where there are enough places, what nearly every tool
 * needs: nobody asked for it.
 */
function lastPlaces(found: readonly Found[], pool: Pool, limit: number): Found[] {
  const [best] = found;
  if (best === undefined) return [];
  const uncovered = pool.uncoveredBy(found).slice(0, limit >> 1);
  const common = limit < roomyLimit ? [] : pool.commonFor(best);
  const isNew = ({ tool }: Found, place: number, all: Found[]) =>
    !found.some((other) => other.tool === tool) && all.findIndex((other) => other.tool === tool) === place;
  return [...uncovered, ...common.filter(isNew).slice(0, maxCommon)].filter(isNew);
}

/** A clause is answered by any of so many. */
const maxAlike = 3;

function byScore([one, a]: [number, number], [other, b]: [number, number]): number {
  return b - a || one - other;
}

interface Candidate {
  tool: number;
  /** What each need makes of it. */
  scores: Float64Array;
  whole: number;
  bonus: number;
  provides?: { to: number; thing?: string };
  isTaken: boolean;
}

class Pool {
  readonly #view: CatalogView;
  readonly #request: Request;
  readonly #rankings: readonly Ranking[];
  readonly #decays: readonly number[];
  readonly #candidates = new Map<number, Candidate>();
  readonly #left: Float64Array;
  readonly #whole: ReadonlyMap<number, number>;
  readonly #maxWhole: number;
  readonly #wholeShare: number;

  constructor(view: CatalogView, rankings: Ranking[], request: Request) {
    this.#view = view;
    this.#request = request;
    this.#rankings = rankings;
    this.#decays = rankings.map(({ need }) => decayOf(need));
    this.#left = worthOf(rankings);
    this.#whole = (rankings[0] as Ranking).scores;
    this.#maxWhole = Math.max(1e-9, ...this.#whole.values());
    this.#wholeShare = rankings.some(({ need }) => need.part === 'clause') ? tuning.whole : 0;
    rankings.forEach(({ scores }, need) => {
      for (const [tool, score] of scores) this.#candidate(tool).scores[need] = score;
    });
  }

  take(): Found | undefined {
    let best: { candidate: Candidate; score: number; need: number } | undefined;
    for (const candidate of this.#candidates.values()) {
      if (candidate.isTaken) continue;
      let [top, need] = [0, 0];
      for (let place = 0; place < this.#decays.length; place++) {
        const own = (candidate.scores[place] as number) * (this.#left[place] as number);
        if (own > top) [top, need] = [own, place];
      }
      const score = top + candidate.whole + candidate.bonus;
      if (best && (score < best.score || (score === best.score && candidate.tool > best.candidate.tool)))
        continue;
      best = { candidate, score, need };
    }
    if (best === undefined) return undefined;
    const { candidate, score, need } = best;
    candidate.isTaken = true;
    this.#left[need] = (this.#left[need] as number) * (this.#decays[need] as number);
    return { tool: candidate.tool, score, need, ...(candidate.provides && { provides: candidate.provides }) };
  }

  provideFor(asking: Found): void {
    for (const { tool, score: bonus, provides } of this.#providers(asking, providersOf)) {
      const candidate = this.#candidate(tool);
      if (bonus <= candidate.bonus) continue;
      candidate.bonus = bonus;
      candidate.provides = provides;
    }
  }

  /** The best tool for each demand that none of these is for. */
  uncoveredBy(found: readonly Found[]): Found[] {
    const uncovered: Found[] = [];
    for (const [need, { need: own, scores }] of this.#rankings.entries()) {
      if (!this.#isDemand(own) || scores.size === 0) continue;
      const best = [...scores].sort(byScore).slice(0, maxAlike);
      const isCovered = best.some(([tool]) => [...found, ...uncovered].some((one) => one.tool === tool));
      const [[tool, score]] = best as [[number, number]];
      if (!isCovered && fits(this.#view, tool, own, this.#request)) uncovered.push({ tool, score, need });
    }
    return uncovered;
  }

  /** A clause that wants something done; what else is said may only tell why. */
  #isDemand({ part, concepts }: Need): boolean {
    return part === 'clause' && concepts.some((place) => this.#request.concepts[place]?.isVerb);
  }

  commonFor(asking: Found): Found[] {
    return this.#request.hasNames ? [] : this.#providers(asking, commonProvidersOf);
  }

  #providers(
    { tool, score, need }: Found,
    find: typeof providersOf,
  ): (Found & Required<Pick<Found, 'provides'>>)[] {
    const source = this.#view.sourceOf(tool);
    const offset = this.#view.offsetOf(source);
    const { index } = this.#view.sources[source] as SearchedSource;
    const relevance = (local: number) => (this.#whole.get(offset + local) ?? 0) / this.#maxWhole;
    const isSure = ((index.data.flags[tool - offset] as number) & flag.overHttp) !== 0;
    const share = tuning.provider * (isSure ? 1 : tuning.loose) * score;
    return find(index, tool - offset, { request: this.#request, relevance })
      .filter(({ tool: local }) => this.#request.isVisible(offset + local))
      .map(({ tool: local, fitness, thing }) => ({
        tool: offset + local,
        score: share * fitness,
        need,
        provides: { to: tool, ...(thing !== undefined && { thing }) },
      }));
  }

  #candidate(tool: number): Candidate {
    const known = this.#candidates.get(tool);
    if (known) return known;
    const whole = this.#wholeShare * (this.#whole.get(tool) ?? 0);
    const candidate: Candidate = {
      tool,
      scores: new Float64Array(this.#decays.length),
      whole,
      bonus: 0,
      isTaken: false,
    };
    this.#candidates.set(tool, candidate);
    return candidate;
  }
}

function decayOf({ part }: Need): number {
  if (part === 'whole') return tuning.wholeDecay;
  return part === 'plain' ? tuning.plainDecay : tuning.decay;
}

/** What a need is worth: the more it says, the more. Where there are several, the whole only adds to them. */
function worthOf(rankings: Ranking[]): Float64Array {
  const parts = rankings.filter(({ need: { part } }) => part === 'clause' || part === 'segment');
  const hasClauses = parts.some(({ need }) => need.part === 'clause');
  const most = Math.max(...parts.map(({ need }) => need.mass), 1e-9);
  const top = Math.max(...rankings.map((ranking) => (ranking.need.part === 'plain' ? 0 : topOf(ranking))));
  return Float64Array.from(rankings, (ranking) => {
    const { part, mass } = ranking.need;
    if (part === 'whole') return hasClauses ? 0 : 1;
    // Words alone are counted otherwise: its best is worth a share of the best there is.
    if (part === 'plain') return (tuning.plain * top) / topOf(ranking);
    return (mass / most) ** tuning.clausePower * (part === 'segment' ? tuning.segment : 1);
  });
}

function topOf({ scores }: Ranking): number {
  return Math.max(1e-9, ...scores.values());
}

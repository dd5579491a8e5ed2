import type { SearchedSource } from '../index/source-index.ts';
import { flag } from '../index/tool-flags.ts';
import type { Request } from '../request/concepts.ts';
import type { Need } from '../request/needs.ts';
import type { CatalogView } from './catalog-view.ts';
import { fits } from './fit.ts';
import { commonProvidersOf, providersOf } from './providers.ts';
import type { Ranking } from './rank-need.ts';
import { tuning } from './tuning.ts';

/** A tool that was picked as an answer. */
export interface PickedTool {
  /** Its number among all tools. */
  tool: number;
  score: number;
  /** The position of the need that it answers. */
  need: number;
  /** The tool that needs the id of a resource that this tool returns. */
  provides?: { to: number; resource?: string };
  /** The request names the tool. */
  isNamed?: true;
}

/** The number of first tools whose providers are searched. */
const maxProvided = 4;
/** The minimum limit at which common providers are added. */
const minLimitForCommon = 8;
const maxCommon = 2;

/**
 * Picks tools one by one, so that the answer covers all needs. Each tool that is picked for a need reduces the worth of
 * that need, and raises the tools that return what it needs.
 */
export function compose(
  view: CatalogView,
  rankings: Ranking[],
  request: Request,
  limit: number,
): PickedTool[] {
  const pool = new Pool(view, rankings, request);
  const picked: PickedTool[] = [];
  while (picked.length < limit) {
    const next = pool.pick();
    if (next === undefined) break;
    picked.push(next);
    if (picked.length <= maxProvided) pool.raiseProvidersOf(next);
  }
  const last = lastTools(picked, pool, limit);
  return [...picked.slice(0, limit - last.length), ...last];
}

/**
 * Tools for clauses that the picked tools do not answer. If the limit allows, also tools that return what nearly every
 * tool needs.
 */
function lastTools(picked: readonly PickedTool[], pool: Pool, limit: number): PickedTool[] {
  const [best] = picked;
  if (best === undefined) return [];
  const unanswered = pool.toolsForUnanswered(picked).slice(0, limit >> 1);
  const common = limit < minLimitForCommon ? [] : pool.commonProvidersOf(best);
  const isNew = ({ tool }: PickedTool, position: number, all: PickedTool[]) =>
    !picked.some((other) => other.tool === tool) &&
    all.findIndex((other) => other.tool === tool) === position;
  return [...unanswered, ...common.filter(isNew).slice(0, maxCommon)].filter(isNew);
}

/** A clause counts as answered if any of this many best tools was picked. */
const maxEquivalent = 3;

function byScore([one, a]: [number, number], [other, b]: [number, number]): number {
  return b - a || one - other;
}

interface Candidate {
  tool: number;
  /** Its score for each need. */
  scores: Float64Array;
  /** The part of its score for the whole request that is always added. */
  whole: number;
  /** Its score as a provider. */
  bonus: number;
  provides?: PickedTool['provides'];
  isPicked: boolean;
}

class Pool {
  readonly #view: CatalogView;
  readonly #request: Request;
  readonly #rankings: readonly Ranking[];
  readonly #decays: readonly number[];
  readonly #candidates = new Map<number, Candidate>();
  /** The current worth of each need. */
  readonly #worth: Float64Array;
  readonly #whole: ReadonlyMap<number, number>;
  readonly #maxWhole: number;
  readonly #wholeShare: number;

  constructor(view: CatalogView, rankings: Ranking[], request: Request) {
    this.#view = view;
    this.#request = request;
    this.#rankings = rankings;
    this.#decays = rankings.map(({ need }) => decayOf(need));
    this.#worth = worthOf(rankings);
    this.#whole = (rankings[0] as Ranking).scores;
    this.#maxWhole = Math.max(1e-9, ...this.#whole.values());
    this.#wholeShare = rankings.some(({ need }) => need.part === 'clause') ? tuning.whole : 0;
    rankings.forEach(({ scores }, need) => {
      for (const [tool, score] of scores) this.#candidate(tool).scores[need] = score;
    });
  }

  pick(): PickedTool | undefined {
    let best: { candidate: Candidate; score: number; need: number } | undefined;
    for (const candidate of this.#candidates.values()) {
      if (candidate.isPicked) continue;
      let [top, need] = [0, 0];
      for (let position = 0; position < this.#decays.length; position++) {
        const needScore = (candidate.scores[position] as number) * (this.#worth[position] as number);
        if (needScore > top) [top, need] = [needScore, position];
      }
      const score = top + candidate.whole + candidate.bonus;
      if (best && (score < best.score || (score === best.score && candidate.tool > best.candidate.tool)))
        continue;
      best = { candidate, score, need };
    }
    if (best === undefined) return undefined;
    const { candidate, score, need } = best;
    candidate.isPicked = true;
    this.#worth[need] = (this.#worth[need] as number) * (this.#decays[need] as number);
    return { tool: candidate.tool, score, need, ...(candidate.provides && { provides: candidate.provides }) };
  }

  raiseProvidersOf(picked: PickedTool): void {
    for (const { tool, score: bonus, provides } of this.#providers(picked, providersOf)) {
      const candidate = this.#candidate(tool);
      if (bonus <= candidate.bonus) continue;
      candidate.bonus = bonus;
      candidate.provides = provides;
    }
  }

  /** The best tool for each task that no picked tool answers. */
  toolsForUnanswered(picked: readonly PickedTool[]): PickedTool[] {
    const tools: PickedTool[] = [];
    for (const [position, { need, scores }] of this.#rankings.entries()) {
      if (!this.#isTask(need) || scores.size === 0) continue;
      const best = [...scores].sort(byScore).slice(0, maxEquivalent);
      const isAnswered = best.some(([tool]) => [...picked, ...tools].some((one) => one.tool === tool));
      const [[tool, score]] = best as [[number, number]];
      if (!isAnswered && fits(this.#view, tool, need, this.#request))
        tools.push({ tool, score, need: position });
    }
    return tools;
  }

  /** A clause with a verb. Other clauses may only give a reason. */
  #isTask({ part, concepts }: Need): boolean {
    return part === 'clause' && concepts.some((concept) => this.#request.concepts[concept]?.isVerb);
  }

  commonProvidersOf(picked: PickedTool): PickedTool[] {
    return this.#request.hasNames ? [] : this.#providers(picked, commonProvidersOf);
  }

  #providers(
    { tool, score, need }: PickedTool,
    find: typeof providersOf,
  ): (PickedTool & Required<Pick<PickedTool, 'provides'>>)[] {
    const source = this.#view.sourceOf(tool);
    const offset = this.#view.offsetOf(source);
    const { index } = this.#view.sources[source] as SearchedSource;
    const relevance = (local: number) => (this.#whole.get(offset + local) ?? 0) / this.#maxWhole;
    const isSure = ((index.data.flags[tool - offset] as number) & flag.overHttp) !== 0;
    const share = tuning.provider * (isSure ? 1 : tuning.loose) * score;
    return find(index, tool - offset, { request: this.#request, relevance })
      .filter(({ tool: local }) => this.#request.isVisible(offset + local))
      .map(({ tool: local, fitness, resource }) => ({
        tool: offset + local,
        score: share * fitness,
        need,
        provides: { to: tool, ...(resource !== undefined && { resource }) },
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
      isPicked: false,
    };
    this.#candidates.set(tool, candidate);
    return candidate;
  }
}

function decayOf({ part }: Need): number {
  if (part === 'whole') return tuning.wholeDecay;
  return part === 'plain' ? tuning.plainDecay : tuning.decay;
}

/**
 * The initial worth of each need, by its mass. If the request has clauses, the whole counts only as an addition to
 * them.
 */
function worthOf(rankings: Ranking[]): Float64Array {
  const parts = rankings.filter(({ need: { part } }) => part === 'clause' || part === 'segment');
  const hasClauses = parts.some(({ need }) => need.part === 'clause');
  const maxMass = Math.max(...parts.map(({ need }) => need.mass), 1e-9);
  const top = Math.max(...rankings.map((ranking) => (ranking.need.part === 'plain' ? 0 : topOf(ranking))));
  return Float64Array.from(rankings, (ranking) => {
    const { part, mass } = ranking.need;
    if (part === 'whole') return hasClauses ? 0 : 1;
    // Scores of words alone have another scale. The best of them becomes a share of the best score.
    if (part === 'plain') return (tuning.plain * top) / topOf(ranking);
    return (mass / maxMass) ** tuning.clausePower * (part === 'segment' ? tuning.segment : 1);
  });
}

function topOf({ scores }: Ranking): number {
  return Math.max(1e-9, ...scores.values());
}

import { impactUnit } from '../index/postings.ts';
import type { SearchedSource } from '../index/source-index.ts';
import type { Concept } from '../request/concepts.ts';
import type { Vocabulary } from '../request/vocabulary.ts';

/** The tools that have a concept, and how well. */
export interface Hits {
  tools: Uint32Array;
  scores: Float32Array;
}

const saturation = 1.6;

/** Room for one number for each tool, used again for every concept. */
export class Scorer {
  readonly #sources: readonly SearchedSource[];
  readonly #vocabulary: Vocabulary;
  readonly #best: Float32Array;
  readonly #touched: Uint32Array;

  constructor(sources: readonly SearchedSource[], vocabulary: Vocabulary) {
    this.#sources = sources;
    this.#vocabulary = vocabulary;
    this.#best = new Float32Array(vocabulary.total);
    this.#touched = new Uint32Array(vocabulary.total);
  }

  /** The best that any word for it makes of each tool. */
  hits(concept: Concept): Hits {
    let count = 0;
    const { rarity } = concept;
    for (const [term, { weight }] of concept.variants) {
      if (this.#vocabulary.count(term) === 0) continue;
      const worth = concept.weight * weight * Math.min(rarity, this.#vocabulary.rarity(term));
      count = this.#add(term, worth, count);
    }
    const tools = this.#touched.slice(0, count).sort();
    const scores = new Float32Array(count);
    for (let place = 0; place < count; place++) {
      const tool = tools[place] as number;
      scores[place] = this.#best[tool] as number;
      this.#best[tool] = 0;
    }
    return { tools, scores };
  }

  #add(term: string, worth: number, before: number): number {
    let count = before;
    let offset = 0;
    for (const { index } of this.#sources) {
      const place = index.termNumber(term);
      if (place !== undefined) {
        const { starts, tools, impacts } = index.data;
        const end = starts[place + 1] as number;
        for (let posting = starts[place] as number; posting < end; posting++) {
          const impact = (impacts[posting] as number) / impactUnit;
          const score = (worth * impact * (saturation + 1)) / (impact + saturation);
          const tool = offset + (tools[posting] as number);
          const best = this.#best[tool] as number;
          if (best === 0) {
            this.#touched[count] = tool;
            count += 1;
          }
          if (score > best) this.#best[tool] = score;
        }
      }
      offset += index.size;
    }
    return count;
  }
}

/** How well a tool has the concept. */
export function scoreOf({ tools, scores }: Hits, tool: number): number {
  let [low, high] = [0, tools.length - 1];
  while (low <= high) {
    const middle = (low + high) >> 1;
    const at = tools[middle] as number;
    if (at === tool) return scores[middle] as number;
    if (at < tool) low = middle + 1;
    else high = middle - 1;
  }
  return 0;
}

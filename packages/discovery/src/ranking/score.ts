import type { SearchedSource } from '../index/open-index.ts';
import { impactUnit } from '../index/postings.ts';
import type { Concept } from '../request/concepts.ts';
import type { Vocabulary } from '../request/vocabulary.ts';

/** The tools that match a concept, and their scores. */
export interface Hits {
  tools: Uint32Array;
  scores: Float32Array;
}

const saturation = 1.6;

/** Scores tools for one concept at a time. Its arrays hold a number per tool and are reused for every concept. */
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

  /** The best score that a variant of the concept gives each tool. */
  hits(concept: Concept): Hits {
    let count = 0;
    const { rarity } = concept;
    for (const [term, { weight }] of concept.variants) {
      if (this.#vocabulary.count(term) === 0) continue;
      const termWeight = concept.weight * weight * Math.min(rarity, this.#vocabulary.rarity(term));
      count = this.#add(term, termWeight, count);
    }
    const tools = this.#touched.slice(0, count).sort();
    const scores = new Float32Array(count);
    for (let position = 0; position < count; position++) {
      const tool = tools[position] as number;
      scores[position] = this.#best[tool] as number;
      this.#best[tool] = 0;
    }
    return { tools, scores };
  }

  #add(term: string, termWeight: number, before: number): number {
    let count = before;
    let offset = 0;
    for (const { index } of this.#sources) {
      const number = index.termNumber(term);
      if (number !== undefined) {
        const { starts, tools, impacts } = index.data;
        const end = starts[number + 1] as number;
        for (let posting = starts[number] as number; posting < end; posting++) {
          const impact = (impacts[posting] as number) / impactUnit;
          const score = (termWeight * impact * (saturation + 1)) / (impact + saturation);
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

/** The score of a tool; 0 if it does not match. */
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

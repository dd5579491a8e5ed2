import type { Tool } from '@executor/engine';

const [k1, b] = [1.2, 0.75];

/** A baseline: the simplest search, which ranks the words of path, description and parameters by BM25. */
export class PlainBm25 {
  readonly #tools: { path: string; counts: Map<string, number>; length: number }[];
  readonly #documents = new Map<string, number>();
  readonly #usual: number;

  constructor(tools: Iterable<Tool>) {
    this.#tools = [...tools].map((tool) => {
      const words = wordsOf(textOf(tool));
      const counts = new Map<string, number>();
      for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
      for (const word of counts.keys()) this.#documents.set(word, (this.#documents.get(word) ?? 0) + 1);
      return { path: tool.path, counts, length: words.length };
    });
    this.#usual = this.#tools.reduce((sum, { length }) => sum + length, 0) / Math.max(1, this.#tools.length);
  }

  find(query: string, limit: number): string[] {
    const words = [...new Set(wordsOf(query))];
    return this.#tools
      .map(({ path, counts, length }) => ({ path, score: this.#score(words, counts, length) }))
      .filter(({ score }) => score > 0)
      .sort((one, other) => other.score - one.score)
      .slice(0, limit)
      .map(({ path }) => path);
  }

  #score(words: string[], counts: Map<string, number>, length: number): number {
    let score = 0;
    for (const word of words) {
      const count = counts.get(word) ?? 0;
      const has = this.#documents.get(word) ?? 0;
      const rarity = Math.log(1 + (this.#tools.length - has + 0.5) / (has + 0.5));
      score += (rarity * count * (k1 + 1)) / (count + k1 * (1 - b + (b * length) / this.#usual));
    }
    return score;
  }
}

function textOf({ path, description, inputSchema }: Tool): string {
  const { properties = {} } = inputSchema as { properties?: Record<string, { description?: string }> };
  const parameters = Object.entries(properties).map(
    ([name, { description: about = '' }]) => `${name} ${about}`,
  );
  return [path, description, ...parameters].join(' ');
}

function wordsOf(text: string): string[] {
  return (
    text
      .replace(/([a-z])([A-Z])/g, '$1 $2')
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? []
  );
}

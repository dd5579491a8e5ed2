import type { NearTools } from '../../catalog/description/nearest-tools.ts';
import type { ToolDescriptions } from '../../catalog/description/tool-descriptions.ts';

type Hints = Pick<ToolDescriptions, 'nearest'>;

/** More suggestions would not help: nobody fixes that many wrong paths at once. */
const maxHints = 20;
const none: NearTools = { tools: [], below: 0 };

/**
 * Suggests tools for the wrong paths of one run. A suggestion takes up to two searches and code can invent thousands of paths, so only the
 * first ones get suggestions. Suggestions are not cached, because rules may change while the run continues.
 */
export class BoundedHints implements Hints {
  readonly #hints: Hints;
  #count = 0;

  constructor(hints: Hints) {
    this.#hints = hints;
  }

  async nearest(...asked: Parameters<Hints['nearest']>): Promise<NearTools> {
    this.#count += 1;
    return this.#count > maxHints ? none : this.#hints.nearest(...asked);
  }
}

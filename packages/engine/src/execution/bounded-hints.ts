import type { NearTools } from '../catalog/description/nearest-tools.ts';
import type { ToolDescriptions } from '../catalog/description/tool-descriptions.ts';

type Hints = Pick<ToolDescriptions, 'nearest'>;

/** More wrong paths than this nobody mends at once. */
const maxHints = 20;
const none: NearTools = { tools: [], below: 0 };

/**
 * What was probably meant by the paths of one run at which there is no tool. Each takes up to two searches, and code can make thousands of them
 * up: after the first ones there is no hint. None is kept for the same path, because what may be named of it may change while the run goes on.
 */
export class BoundedHints implements Hints {
  readonly #hints: Hints;
  #given = 0;

  constructor(hints: Hints) {
    this.#hints = hints;
  }

  async nearest(...asked: Parameters<Hints['nearest']>): Promise<NearTools> {
    this.#given += 1;
    return this.#given > maxHints ? none : this.#hints.nearest(...asked);
  }
}

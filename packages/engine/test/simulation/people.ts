import type { ResolutionAction } from '@executor/protocol';
import type { InteractionRow, ResolutionRow } from '../../src/ports/interaction-store.ts';
import type { Invariants } from './invariants.ts';
import type { ModelAggregates } from './model-store.ts';
import { hashOf, type Random } from './random.ts';
import { answerOf, siteOf } from './tools.ts';
import type { VirtualTime } from './virtual-time.ts';

interface Parts {
  time: VirtualTime;
  random: Random;
  interactions: ModelAggregates['interactions'];
  invariants: Invariants;
  /** How long reviewers take to answer, in milliseconds. */
  delayMs(): number;
}

/** Reviewers who answer late, twice at once, and sometimes differently. */
export class People {
  readonly #parts: Parts;
  /** Whether two reviewers may answer differently. */
  readonly #quarrel: boolean;

  constructor(parts: Parts) {
    this.#parts = parts;
    this.#quarrel = parts.random.chance(0.3);
  }

  /** A reviewer has seen the question and will answer it. */
  notice(asked: InteractionRow): void {
    const { time, random, delayMs } = this.#parts;
    const thinkMs = delayMs();
    const places = random.chance(0.2) ? 2 : 1;
    for (let place = 0; place < places; place++) {
      const resolution = this.#resolutionOf(asked, place);
      time.after(thinkMs, `a person answers: ${resolution.action}`, () => this.#answer(asked, resolution));
    }
  }

  #answer({ id, workspaceId }: InteractionRow, resolution: ResolutionRow): void {
    const { interactions, invariants, time } = this.#parts;
    const before = interactions.find(workspaceId, id);
    const at = new Date(time.now);
    const identical = resolution.scope === 'identical';
    const outcome = interactions.resolve(workspaceId, id, { resolution, at, identical }, () => []);
    if (outcome?.type === 'resolved' && before?.status !== 'pending')
      invariants.fail(`${id} was resolved though it was ${before?.status}`);
  }

  #resolutionOf({ kind, input, toolPath }: InteractionRow, place: number): ResolutionRow {
    const site = siteOf(JSON.parse(input));
    const mood = hashOf(`${toolPath} ${site}${this.#quarrel ? place : ''}`) % 100;
    const actorId = `person ${place}`;
    if (kind === 'approval') return { ...approvalOf(mood), actorId };
    if (kind === 'reconcile') {
      const action: ResolutionAction = mood < 50 ? 'retry' : mood < 85 ? 'complete' : 'fail';
      return { action, actorId, ...(action === 'complete' && { data: answerOf(toolPath, site) }) };
    }
    return mood < 80
      ? { action: 'submit', actorId, data: answerOf(toolPath, site) }
      : { action: 'cancel', actorId };
  }
}

function approvalOf(mood: number): Pick<ResolutionRow, 'action' | 'scope' | 'reason'> {
  if (mood < 25) return { action: 'deny', reason: 'no' };
  return { action: 'approve', scope: mood < 60 ? 'identical' : 'once' };
}

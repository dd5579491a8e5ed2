import { createHash, randomUUID } from 'node:crypto';
import type { Execution, Principal } from '@executor/protocol';
import { ownerOf } from '../identity/owner.ts';
import { interactionIdOf } from '../interaction/interaction-view.ts';
import type { AwaitedAnswer, Delivery } from '../ports/delivery-store.ts';
import type { Store } from '../ports/store.ts';

/** A run and its code. */
export type DeliveredRun = Pick<Execution, 'id' | 'code'>;

/** A call that repeats an earlier one came at most this long after the earlier one. */
const joinWithinMs = 10 * 60_000;
/** An answer may take this long after the wait time. */
const graceMs = 5_000;

/**
 * Which answers about its runs a caller has received. A client that gives up loses the answer, and its model often sends the same code
 * again. That call then joins the run instead of repeating its writes.
 */
export class Deliveries {
  readonly #store: Pick<Store, 'deliveries'>;

  constructor({ store }: { store: Pick<Store, 'deliveries'> }) {
    this.#store = store;
  }

  /** The caller waits for a run that existed before. If this process dies meanwhile, the answer is lost. */
  async expect(principal: Principal, run: DeliveredRun, waitMs: number): Promise<void> {
    await this.#save(principal, run, { type: 'expected', withinMs: waitMs + graceMs });
  }

  /** The caller gets an answer that shows the run and its pending questions. */
  async deliver(principal: Principal, run: Execution): Promise<void> {
    await this.#save(principal, run, { type: 'delivered' }, questionsOf(run));
  }

  /** The caller did not get the answer, so it was not shown the questions in it. */
  async lose(principal: Principal, run: DeliveredRun): Promise<void> {
    await this.#save(principal, run, { type: 'lost' }, []);
  }

  /** Whether the caller knows of the run, and the questions that it was shown last. */
  async find(principal: Principal, executionId: string): Promise<{ isDelivered: boolean; shown: string[] }> {
    const delivery = await this.#store.deliveries.find(executionId, ownerOf(principal));
    return delivery ?? { isDelivered: true, shown: [] };
  }

  /** A run of the same code whose answer the caller did not get, if there is one. Each run is joined by one call only. */
  async join(
    principal: Principal,
    {
      code,
      waitMs,
      requestKey = randomUUID(),
    }: { code: string; waitMs: number; requestKey?: string | undefined },
  ): Promise<string | undefined> {
    return this.#store.deliveries.join({
      workspaceId: principal.workspaceId,
      ownerId: ownerOf(principal),
      codeHash: hashOf(code),
      requestKey,
      maxAgeMs: joinWithinMs,
      withinMs: waitMs + graceMs,
    });
  }

  #save(
    principal: Principal,
    { id: executionId, code }: DeliveredRun,
    answer: Delivery['answer'],
    shown?: string[],
  ): Promise<void> {
    const delivery = { executionId, ownerId: ownerOf(principal), codeHash: hashOf(code), answer };
    return this.#store.deliveries.save({ ...delivery, ...(shown && { shown }) });
  }
}

/** The same for a run that is created for the caller. */
export function awaitedAnswer({ code, waitMs }: { code: string; waitMs: number }): AwaitedAnswer {
  return { codeHash: hashOf(code), withinMs: waitMs + graceMs };
}

export function questionsOf({ interactions }: Execution): string[] {
  return interactions.map(interactionIdOf);
}

function hashOf(code: string): string {
  return createHash('sha256').update(code).digest('base64url');
}

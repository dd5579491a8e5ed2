import { type DeliveredRun, type Engine, questionsOf } from '@executor/engine';
import { type Execution, isFinished, type Principal } from '@executor/protocol';
import type { CallToolResult } from '@modelcontextprotocol/server';
import type { Logger } from 'pino';
import { withNotes } from '../text/answer.ts';

interface Parts {
  engine: Pick<Engine, 'deliveries'>;
  logger: Logger;
}

/** Who gets the answer, and the response that carries it. */
export interface Recipient {
  principal: Principal;
  isConnected(): boolean;
  /** Resolves when the response has ended: true if all of it was sent. */
  sent(): Promise<boolean>;
}

/**
 * Whether the answer of one call reaches its client. The answer counts as delivered before it is sent, so that a client that has it can
 * call any server at once. If it could not be sent after all, it is lost. A failure to note this does not keep back the answer.
 */
export class CallDelivery {
  readonly #parts: Parts;
  readonly #recipient: Recipient;
  readonly #cancelled: AbortSignal | undefined;
  /** Whether the client learns of the run from this call. */
  #isIntroduction = false;
  #expected: Promise<unknown> = Promise.resolve();
  #known: { isDelivered: boolean; shown: string[] } | undefined;
  #isNoted = false;
  /** Whether the call got the run of an earlier call. */
  isJoined = false;

  constructor(parts: Parts, recipient: Recipient, cancelled?: AbortSignal) {
    this.#parts = parts;
    this.#recipient = recipient;
    this.#cancelled = cancelled;
  }

  /** This is a call of `execute`. */
  introduce(): void {
    this.#isIntroduction = true;
  }

  /**
   * The client waits for a run that it has started. A new run was noted when it was created. A run that has ended at once needs no note,
   * because its answer is sent now.
   */
  expect(
    { created, endedAtOnce, ...run }: DeliveredRun & { created: boolean; endedAtOnce: boolean },
    waitMs: number,
  ): void {
    this.#isNoted = endedAtOnce;
    if (created) return;
    const { engine } = this.#parts;
    this.#expected = this.#note(engine.deliveries.expect(this.#recipient.principal, run, waitMs));
  }

  /** The questions of the run that this caller was shown. */
  async recall(executionId: string): Promise<string[]> {
    this.#known = await this.#parts.engine.deliveries.find(this.#recipient.principal, executionId);
    return this.#known.shown;
  }

  /** The answer is ready. Returns it, with a note if the call joined a run. */
  async deliver(run: Execution, answer: CallToolResult): Promise<CallToolResult> {
    await this.#expected;
    if (this.#cancelled?.aborted || !this.#recipient.isConnected()) {
      if (this.#isIntroduction) await this.#lose(run);
      return answer;
    }
    const { deliveries } = this.#parts.engine;
    if (!this.#isKnown(run)) await this.#note(deliveries.deliver(this.#recipient.principal, run));
    void this.#recipient.sent().then(async (isSent) => {
      if (!isSent) await this.#lose(run);
    });
    return this.isJoined ? withNotes(answer, [joinedNote(run)]) : answer;
  }

  #isKnown(run: Execution): boolean {
    if (this.#known === undefined) return this.#isNoted;
    const { isDelivered, shown } = this.#known;
    const pending = questionsOf(run);
    const isShown = pending.length === shown.length && pending.every((id) => shown.includes(id));
    return isDelivered && (isShown || isFinished(run.status));
  }

  /** A caller that knows of the run can ask for it again. */
  async #lose(run: Execution): Promise<void> {
    const { deliveries } = this.#parts.engine;
    const { principal } = this.#recipient;
    const isLost = this.#isIntroduction || this.#known?.isDelivered === false;
    await this.#note(
      isLost ? deliveries.lose(principal, run) : deliveries.deliver(principal, { ...run, interactions: [] }),
    );
  }

  async #note(saved: Promise<void>): Promise<void> {
    await saved.catch((err) => this.#parts.logger.warn({ err }, 'could not note the delivery of an answer'));
  }
}

function joinedNote({ id }: Execution): string {
  return `The code was not run again. This is the run ${id} of your earlier call with the same code, whose answer did not reach you. To start another run, call execute with an idempotencyKey that you have not used.`;
}

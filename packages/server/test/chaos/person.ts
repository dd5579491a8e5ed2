import { setTimeout as sleep } from 'node:timers/promises';
import { ExecutorError, type Interaction, type Resolution } from '@executor/protocol';
import type { World } from './world.ts';

/** One answer of the person, recorded before it is sent. */
interface Answer {
  /** The ledger's sequence number. */
  order: number;
  interactionId: string;
  callId: string;
  action: Resolution['action'];
}

/**
 * Answers the questions of runs, sometimes twice at once. Approves every call except those with `deny` in the key, and reconciles
 * uncertain calls with the ledger.
 */
export class Person {
  readonly answers: Answer[] = [];
  /** How many of the answers to an interaction were accepted. */
  readonly accepted = new Map<string, number>();
  readonly problems: unknown[] = [];
  readonly #world: World;
  readonly #random: () => number;
  readonly #inProgress = new Set<string>();
  readonly #answering = new Set<Promise<void>>();
  #watching: Promise<void> | undefined;
  #stopped = false;

  constructor(world: World, random: () => number) {
    this.#world = world;
    this.#random = random;
  }

  begin(): void {
    this.#watching ??= this.#watch();
  }

  async end(): Promise<void> {
    this.#stopped = true;
    await this.#watching;
    await Promise.all(this.#answering);
  }

  async #watch(): Promise<void> {
    while (!this.#stopped) {
      try {
        const { items } = await this.#world.client.interactions.list({ status: 'pending', limit: 200 });
        for (const item of items) this.#answerOnce(item);
      } catch (error) {
        if (!isUnavailable(error)) this.problems.push(error);
      }
      await sleep(150);
    }
  }

  #answerOnce(interaction: Interaction): void {
    if (this.#inProgress.has(interaction.id)) return;
    this.#inProgress.add(interaction.id);
    const answering = this.#answer(interaction)
      .catch((error) => {
        if (!isUnavailable(error)) this.problems.push(error);
      })
      // If the answer was not delivered, the question is still pending and found again.
      .finally(() => {
        this.#inProgress.delete(interaction.id);
        this.#answering.delete(answering);
      });
    this.#answering.add(answering);
  }

  async #answer(interaction: Interaction): Promise<void> {
    const { id, callId = '' } = interaction;
    const resolution = await this.#decide(interaction);
    const copies = this.#random() < 0.2 ? 2 : 1;
    this.answers.push({
      order: this.#world.ledger.next(),
      interactionId: id,
      callId,
      action: resolution.action,
    });
    await Promise.all(Array.from({ length: copies }, () => this.#send(id, resolution)));
  }

  async #send(id: string, resolution: Resolution): Promise<void> {
    try {
      await this.#world.client.interactions.resolve({ id, ...resolution });
      this.accepted.set(id, (this.accepted.get(id) ?? 0) + 1);
    } catch (error) {
      // Another answer was first, or the question was withdrawn.
      const isSettled = error instanceof ExecutorError && ['conflict', 'gone'].includes(error.code);
      if (!isSettled) throw error;
    }
  }

  async #decide({ kind, callId = '', tool }: Interaction): Promise<Resolution> {
    const { key } = (tool?.input ?? { key: '' }) as { key: string };
    if (kind === 'reconcile') return this.#reconcile(callId);
    if (kind === 'elicitation') return { action: 'submit', data: { value: `value of ${key}` } };
    if (key.includes('deny')) return { action: 'deny', reason: 'not this one' };
    return { action: 'approve', scope: key.includes('same') ? 'identical' : 'once' };
  }

  async #reconcile(callId: string): Promise<Resolution> {
    const done = (await this.#world.ledger.settled(callId)).find(({ state }) => state === 'done');
    if (done === undefined) return { action: 'retry' };
    if (done.answer === undefined) return { action: 'fail', reason: 'the ledger recorded a failure' };
    return { action: 'complete', data: JSON.parse(JSON.stringify(done.answer)) };
  }
}

function isUnavailable(error: unknown): boolean {
  return (
    error instanceof ExecutorError && ['noServer', 'timeout', 'databaseUnavailable'].includes(error.code)
  );
}

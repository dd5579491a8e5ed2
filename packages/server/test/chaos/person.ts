import { setTimeout as sleep } from 'node:timers/promises';
import { ExecutorError, type Interaction, type Resolution } from '@executor/protocol';
import type { World } from './world.ts';

/** One answer that the person gave, noted before it was sent. */
interface Answer {
  /** In the count of the ledger. */
  order: number;
  interactionId: string;
  callId: string;
  action: Resolution['action'];
}

/**
 * Whoever answers what runs ask, as it comes, sometimes in two places at once. Approves everything but keys with `deny`, and says of
 * calls that may or may not have happened what the ledger says of them.
 */
export class Person {
  readonly answers: Answer[] = [];
  /** How many of the answers to an interaction were accepted. */
  readonly accepted = new Map<string, number>();
  readonly problems: unknown[] = [];
  readonly #world: World;
  readonly #random: () => number;
  readonly #inHand = new Set<string>();
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
        for (const item of items) this.#takeUp(item);
      } catch (error) {
        if (!isAway(error)) this.problems.push(error);
      }
      await sleep(80);
    }
  }

  #takeUp(interaction: Interaction): void {
    if (this.#inHand.has(interaction.id)) return;
    this.#inHand.add(interaction.id);
    const answering = this.#answer(interaction)
      .catch((error) => {
        if (!isAway(error)) this.problems.push(error);
      })
      // What did not get through is still asked, and found again.
      .finally(() => {
        this.#inHand.delete(interaction.id);
        this.#answering.delete(answering);
      });
    this.#answering.add(answering);
  }

  async #answer(interaction: Interaction): Promise<void> {
    const { id, callId = '' } = interaction;
    const resolution = await this.#decide(interaction);
    const places = this.#random() < 0.2 ? 2 : 1;
    this.answers.push({
      order: this.#world.ledger.next(),
      interactionId: id,
      callId,
      action: resolution.action,
    });
    await Promise.all(Array.from({ length: places }, () => this.#say(id, resolution)));
  }

  async #say(id: string, resolution: Resolution): Promise<void> {
    try {
      await this.#world.client.interactions.resolve({ id, ...resolution });
      this.accepted.set(id, (this.accepted.get(id) ?? 0) + 1);
    } catch (error) {
      // Somebody was faster, perhaps this person a moment ago, or it is not asked any more.
      const isSettled = error instanceof ExecutorError && ['conflict', 'gone'].includes(error.code);
      if (!isSettled) throw error;
    }
  }

  async #decide({ kind, callId = '', tool }: Interaction): Promise<Resolution> {
    const { key } = (tool?.input ?? { key: '' }) as { key: string };
    if (kind === 'reconcile') return this.#reconcile(callId);
    if (kind === 'elicitation') return { action: 'submit', data: { said: `said of ${key}` } };
    if (key.includes('deny')) return { action: 'deny', reason: 'not this one' };
    return { action: 'approve', scope: key.includes('same') ? 'identical' : 'once' };
  }

  async #reconcile(callId: string): Promise<Resolution> {
    const done = (await this.#world.ledger.settled(callId)).find(({ state }) => state === 'done');
    if (done === undefined) return { action: 'retry' };
    if (done.answer === undefined) return { action: 'fail', reason: 'the ledger says that it failed' };
    return { action: 'complete', data: JSON.parse(JSON.stringify(done.answer)) };
  }
}

function isAway(error: unknown): boolean {
  return (
    error instanceof ExecutorError && ['noServer', 'timeout', 'databaseUnavailable'].includes(error.code)
  );
}

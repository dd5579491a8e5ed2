import { setTimeout as sleep } from 'node:timers/promises';
import { type Client, createClient } from '@executor/client';
import { openBrowserSession } from '../browser-session.ts';
import type { World } from '../chaos/world.ts';
import { type AskingRun, HonestAgent, type Work } from './honest-agent.ts';
import { Times } from './times.ts';
import { patienceMs, until } from './until.ts';

/** The writes of the honest agent, by their key. */
interface Decided {
  approved: string[];
  denied: string[];
  revoked: string[];
}

/**
 * Once a second, a person signs in, lists the pending questions, approves one, denies one, cancels a run and revokes a key, while others
 * attack the server. A turn begins each second, even if an earlier one has not ended.
 */
export class BesiegedPerson {
  readonly times = new Times();
  readonly decided: Decided = { approved: [], denied: [], revoked: [] };
  readonly #world: World;
  readonly #agent: HonestAgent;

  constructor(world: World, honestKey: string) {
    this.#world = world;
    this.#agent = new HonestAgent(world, honestKey, this.times);
  }

  async live(signal: AbortSignal): Promise<void> {
    await Promise.all([this.#agent.prepare(signal), this.#takeTurns(signal)]);
  }

  async #takeTurns(signal: AbortSignal): Promise<void> {
    const turns: Promise<void>[] = [];
    let failure: unknown;
    for (;;) {
      const work = await this.#agent.take(signal);
      if (work === undefined || failure !== undefined) break;
      const turn = this.#turn(work);
      turn.catch((error) => {
        failure = error;
      });
      turns.push(turn);
      await sleep(1_000);
    }
    await Promise.all(turns);
  }

  async #turn({ approve, deny, cancel, revoke }: Work): Promise<void> {
    const browser = await this.times.measure('sign in', () => openBrowserSession(this.#world));
    await this.times.measure('list', () => browser.call('GET', '/v1/interactions?status=pending&limit=50'));
    await this.#approve(approve);
    await this.#deny(deny);
    await this.#cancel(cancel);
    await this.#revoke(revoke);
    await Promise.all([this.#expectEnd(approve, 'completed'), this.#expectEnd(deny, 'failed')]);
  }

  /** Waits long for each answer, so that the times show how long the server takes. */
  get #person(): Client {
    const { url, localToken } = this.#world;
    return createClient({ url, token: localToken, timeoutMs: patienceMs });
  }

  async #approve({ question, write }: AskingRun): Promise<void> {
    await this.times.measure('approve', () =>
      this.#person.interactions.resolve({ id: question, action: 'approve' }),
    );
    this.decided.approved.push(write);
  }

  async #deny({ question, write }: AskingRun): Promise<void> {
    await this.times.measure('deny', () =>
      this.#person.interactions.resolve({ id: question, action: 'deny', reason: 'not this one' }),
    );
    this.decided.denied.push(write);
  }

  async #cancel({ id, write }: AskingRun): Promise<void> {
    await this.times.measure('cancel', () => this.#person.executions.cancel({ id }));
    this.decided.denied.push(write);
  }

  /** The run of a revoked key is cancelled and its question withdrawn within two seconds. */
  async #revoke({ id, question, write, apiKey }: Work['revoke']): Promise<void> {
    await this.times.measure('revoke', () => this.#person.apiKeys.remove({ id: apiKey }));
    this.decided.revoked.push(write);
    await this.times.measure('close what the key left', () =>
      until(async () => {
        const { status } = await this.#person.executions.get({ id });
        const { status: questionStatus } = await this.#person.interactions.get({ id: question });
        return (status === 'cancelled' && questionStatus !== 'pending') || undefined;
      }),
    );
  }

  async #expectEnd(run: AskingRun, expected: string): Promise<void> {
    const { status } = await run.wait();
    if (status !== expected) throw new Error(`The run ${run.id} is ${status}, not ${expected}.`);
  }
}

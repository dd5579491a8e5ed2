import { setTimeout as sleep } from 'node:timers/promises';
import { type Client, createClient } from '@executor/client';
import { openBrowserSession } from '../browser-session.ts';
import type { World } from '../chaos/world.ts';
import { Times } from './times.ts';

/** The writes of the honest agent, by their key. */
interface Decided {
  approved: string[];
  denied: string[];
  revoked: string[];
}

/**
 * Once a second, a person signs in, lists the pending questions, approves one, denies one, cancels a run and revokes a key, while others
 * attack the server. An honest agent asks the questions.
 */
export class BesiegedPerson {
  readonly times = new Times();
  readonly decided: Decided = { approved: [], denied: [], revoked: [] };
  readonly #world: World;
  readonly #honest: Client;

  constructor(world: World, honestKey: string) {
    this.#world = world;
    this.#honest = createClient({ url: world.url, token: honestKey, timeoutMs: patienceMs });
  }

  async live(signal: AbortSignal): Promise<void> {
    for (let turn = 0; !signal.aborted; turn += 1) {
      const nextTurn = sleep(1_000);
      const browser = await this.times.measure('sign in', () => openBrowserSession(this.#world));
      await this.times.measure('list', () => browser.call('GET', '/v1/interactions?status=pending&limit=50'));
      await this.#approve(`approved ${turn}`);
      await this.#deny(`denied ${turn}`);
      await this.#cancel(`cancelled ${turn}`);
      await this.#revoke(`revoked ${turn}`);
      await nextTurn;
    }
  }

  /** Waits long for each answer, so that the times show how long the server takes. */
  get #person(): Client {
    const { url, localToken } = this.#world;
    return createClient({ url, token: localToken, timeoutMs: patienceMs });
  }

  async #approve(key: string): Promise<void> {
    const { id, question } = await this.#ask(this.#honest, key);
    await this.times.measure('approve', () =>
      this.#person.interactions.resolve({ id: question, action: 'approve' }),
    );
    this.decided.approved.push(key);
    const { status } = await this.#honest.executions.wait({ id, waitMs: 60_000 });
    if (status !== 'completed') throw new Error(`The approved run ${id} is ${status}.`);
  }

  async #deny(key: string): Promise<void> {
    const { id, question } = await this.#ask(this.#honest, key);
    await this.times.measure('deny', () =>
      this.#person.interactions.resolve({ id: question, action: 'deny', reason: 'not this one' }),
    );
    this.decided.denied.push(key);
    const { status } = await this.#honest.executions.wait({ id, waitMs: 60_000 });
    if (status !== 'failed') throw new Error(`The denied run ${id} is ${status}.`);
  }

  async #cancel(key: string): Promise<void> {
    const { id } = await this.#ask(this.#honest, key);
    await this.times.measure('cancel', () => this.#person.executions.cancel({ id }));
    this.decided.denied.push(key);
  }

  /** The run of a revoked key is cancelled and its question withdrawn within two seconds. */
  async #revoke(key: string): Promise<void> {
    const created = await this.#person.apiKeys.create({ name: key, kind: 'agent' });
    const { id, question } = await this.#ask(
      createClient({
        ...{ url: this.#world.url, token: created.key, timeoutMs: patienceMs },
      }),
      key,
    );
    await this.times.measure('revoke', () => this.#person.apiKeys.remove({ id: created.id }));
    this.decided.revoked.push(key);
    await this.times.measure('close what the key left', async () => {
      await until(async () => {
        const { status } = await this.#person.executions.get({ id });
        const { status: questionStatus } = await this.#person.interactions.get({ id: question });
        return (status === 'cancelled' && questionStatus !== 'pending') || undefined;
      });
    });
  }

  /** Starts a run that asks for a write, and waits for its question. */
  async #ask(agent: Client, key: string): Promise<{ id: string; question: string }> {
    const code = `return tools.ledger.write({ key: '${key}' })`;
    return this.times.measure('start a run that asks', async () => {
      const { id } = await agent.executions.create({ code, waitMs: 30_000 });
      const question = await until(
        async () => (await this.#person.executions.get({ id })).interactions[0]?.id,
      );
      return { id, question };
    });
  }
}

/** Repeats a request until it has a result. */
async function until<Result>(find: () => Promise<Result | undefined>): Promise<Result> {
  const deadline = performance.now() + patienceMs;
  for (;;) {
    const result = await find();
    if (result !== undefined) return result;
    if (performance.now() > deadline) throw new Error(`This did not happen in time: ${find}`);
    await sleep(50);
  }
}

const patienceMs = 120_000;

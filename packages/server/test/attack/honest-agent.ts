import { setTimeout as sleep } from 'node:timers/promises';
import { type Client, createClient } from '@executor/client';
import type { World } from '../chaos/world.ts';
import type { Times } from './times.ts';
import { patienceMs, until, untilAnswered } from './until.ts';

/** A run that waits for the answer to a question about a write. */
export interface AskingRun {
  id: string;
  question: string;
  /** The key of the write. */
  write: string;
  wait(): Promise<{ status: string }>;
}

/** What a person answers in one turn. */
export interface Work {
  approve: AskingRun;
  deny: AskingRun;
  cancel: AskingRun;
  revoke: AskingRun & { apiKey: string };
}

/** How many turns of a person are prepared. Starting a run takes longer than an answer, so without this the person would mostly wait. */
const ahead = 6;
const atOnce = 3;

/** An agent that attacks nobody. It asks the person for writes ahead of time, and once in each turn with a key that will be revoked. */
export class HonestAgent {
  readonly #world: World;
  readonly #times: Times;
  readonly #agent: Client;
  readonly #ready: Work[] = [];
  #turns = 0;
  #failure: unknown;

  constructor(world: World, key: string, times: Times) {
    this.#world = world;
    this.#times = times;
    this.#agent = this.#clientOf(key);
  }

  /** Prepares work until the signal aborts. */
  async prepare(signal: AbortSignal): Promise<void> {
    const prepareTurns = async () => {
      while (!signal.aborted) {
        if (this.#ready.length >= ahead) await sleep(50);
        else this.#ready.push(await this.#nextTurn());
      }
    };
    await Promise.all(Array.from({ length: atOnce }, prepareTurns)).catch((error) => {
      this.#failure = error;
      throw error;
    });
  }

  /** Undefined if nothing more is prepared. */
  async take(signal: AbortSignal): Promise<Work | undefined> {
    while (!signal.aborted) {
      if (this.#failure !== undefined) throw this.#failure;
      const work = this.#ready.shift();
      if (work) return work;
      await sleep(20);
    }
    return undefined;
  }

  async #nextTurn(): Promise<Work> {
    const turn = this.#turns++;
    const { id: apiKey, key } = await this.#person.apiKeys.create({
      name: `agent of turn ${turn}`,
      kind: 'agent',
    });
    const [approve, deny, cancel, revoke] = await Promise.all([
      this.#ask(this.#agent, `approved ${turn}`),
      this.#ask(this.#agent, `denied ${turn}`),
      this.#ask(this.#agent, `cancelled ${turn}`),
      this.#ask(this.#clientOf(key), `revoked ${turn}`),
    ]);
    return { approve, deny, cancel, revoke: { ...revoke, apiKey } };
  }

  /** Starts a run that asks for a write, and waits for its question. */
  #ask(agent: Client, write: string): Promise<AskingRun> {
    const code = `return tools.ledger.write({ key: '${write}' })`;
    return this.#times.measure('start a run that asks', async () => {
      const run = { code, waitMs: 30_000, idempotencyKey: write };
      const { id } = await untilAnswered(() => agent.executions.create(run));
      const question = await until(() => this.#questionOf(id));
      return { id, question, write, wait: () => agent.executions.wait({ id, waitMs: 60_000 }) };
    });
  }

  async #questionOf(id: string): Promise<string | undefined> {
    const { interactions, finishedAt, status, error } = await this.#person.executions.get({ id });
    if (finishedAt) throw new Error(`The run ${id} is ${status} and has asked nothing: ${error?.message}`);
    return interactions[0]?.id;
  }

  #clientOf(token: string): Client {
    return createClient({ url: this.#world.url, token, timeoutMs: patienceMs });
  }

  get #person(): Client {
    return this.#clientOf(this.#world.localToken);
  }
}

import { hashOf, type Random } from './random.ts';

/** The steps of a script as data. They are stored with the run and interpreted again by each rebuild. */
type Step =
  | { type: 'call'; tool: string; site: string; caught: boolean }
  | { type: 'sleep'; ms: number }
  | { type: 'log' }
  | { type: 'loop'; times: number; body: Step[] }
  | { type: 'coin'; heads: Step[]; tails: Step[] }
  /** A timer that is cleared when the body is done. */
  | { type: 'guarded'; ms: number; body: Step[] }
  | { type: 'all' | 'allSettled' | 'race' | 'any'; branches: Step[][] }
  /** Started and never awaited. */
  | { type: 'left'; body: Step[] };

export interface Script {
  /** Whether the result does not depend on the order of results. */
  steady: boolean;
  steps: Step[];
}

/** The functions that a script can call. */
export interface ScriptApi {
  call(path: string, input: unknown): Promise<unknown>;
  sleep(ms: number): Promise<void>;
  /** Sets a timer. Returns a function that clears it. */
  timer(ms: number): () => void;
  log(text: string): void;
  random(): number;
}

export class ScriptError extends Error {
  readonly code: string;

  constructor(name: string, message: string, code: string) {
    super(message);
    this.name = name;
    this.code = code;
  }
}

export async function interpret({ steady, steps }: Script, api: ScriptApi): Promise<unknown> {
  const seen: unknown[] = [];
  return await new Interpreter(steady, api, seen).body(steps, { site: '', carry: 0 });
}

interface Scope {
  /** The position in the script, with the iterations of loops. */
  site: string;
  /** A hash of everything that this branch has seen. */
  carry: number;
}

class Interpreter {
  readonly #steady: boolean;
  readonly #api: ScriptApi;
  readonly #seen: unknown[];

  constructor(steady: boolean, api: ScriptApi, seen: unknown[]) {
    this.#steady = steady;
    this.#api = api;
    this.#seen = seen;
  }

  async body(steps: Step[], { site, carry }: Scope): Promise<unknown[]> {
    const values: unknown[] = [];
    let own = carry;
    for (const [place, step] of steps.entries()) {
      const value = await this.#step(step, { site: `${site}/${place}`, carry: own });
      values.push(value);
      own = hashOf(`${own} ${JSON.stringify(value)}`) % 10_000;
    }
    return values;
  }

  async #step(step: Step, scope: Scope): Promise<unknown> {
    const api = this.#api;
    switch (step.type) {
      case 'call':
        return this.#call(step, scope);
      case 'sleep':
        return (await api.sleep(step.ms)) ?? null;
      case 'log':
        return api.log(`at ${scope.site}: ${scope.carry} ${this.#steady ? '' : JSON.stringify(this.#seen)}`);
      case 'loop':
        return this.#loop(step, scope);
      case 'coin':
        return this.body(this.#toss(scope) ? step.heads : step.tails, scope);
      case 'guarded':
        return this.#guarded(step, scope);
      case 'left':
        this.body(step.body, scope).catch(() => {});
        return null;
      default:
        return this.#together(step, scope);
    }
  }

  /** The timing decides which branch gets which random number. */
  #toss({ site, carry }: Scope): boolean {
    return this.#steady ? hashOf(`${site} ${carry}`) % 2 === 0 : this.#api.random() < 0.5;
  }

  async #call({ tool, site, caught }: Step & { type: 'call' }, scope: Scope): Promise<unknown> {
    const where = site === '' ? scope.site : site;
    const input = this.#steady
      ? { site: where, ...(site === '' && { carry: scope.carry }) }
      : { site: where, seen: hashOf(JSON.stringify(this.#seen)) };
    try {
      const value = await this.#api.call(tool, input);
      this.#seen.push(value);
      return value;
    } catch (error) {
      const { name, code } = error as ScriptError;
      this.#seen.push(`${name} ${code}`);
      if (!caught) throw error;
      return { name, code };
    }
  }

  async #loop({ times, body }: Step & { type: 'loop' }, { site, carry }: Scope): Promise<unknown> {
    const rounds: unknown[] = [];
    for (let round = 0; round < times; round++) {
      rounds.push(await this.body(body, { site: `${site}#${round}`, carry: carry + round }));
    }
    return rounds;
  }

  async #guarded({ ms, body }: Step & { type: 'guarded' }, scope: Scope): Promise<unknown> {
    const clear = this.#api.timer(ms);
    try {
      return await this.body(body, scope);
    } finally {
      clear();
    }
  }

  async #together(
    { type, branches }: Step & { type: 'all' | 'allSettled' | 'race' | 'any' },
    { site, carry }: Scope,
  ): Promise<unknown> {
    const begun = branches.map((branch, place) => this.body(branch, { site: `${site}.${place}`, carry }));
    if (type === 'all') return Promise.all(begun);
    if (type === 'race') return Promise.race(begun);
    if (type === 'any') return Promise.any(begun);
    const settled = await Promise.allSettled(begun);
    return settled.map((one) =>
      one.status === 'fulfilled' ? one.value : { rejected: (one.reason as ScriptError).name },
    );
  }
}

const tools = ['t.read', 't.read', 't.read', 't.write', 't.post', 't.put', 't.banned', 't.ask', 't.form'];

/** A script that depends only on the random numbers. */
export function randomScript(random: Random): Script {
  const steady = random.chance(0.6);
  const writer = new Writer(random, steady);
  return { steady, steps: writer.steps(random.pick([1, 1, 2, 3, 4, 5]), 0) };
}

const second = 1_000;
const day = 24 * 3_600 * second;

class Writer {
  readonly #random: Random;
  readonly #steady: boolean;

  constructor(random: Random, steady: boolean) {
    this.#random = random;
    this.#steady = steady;
  }

  steps(count: number, depth: number): Step[] {
    return Array.from({ length: count }, () => this.#step(depth));
  }

  #step(depth: number): Step {
    const kind = this.#random.next();
    if (kind < 0.52 || depth > 2) return this.#call(depth);
    if (kind < 0.62) return { type: 'sleep', ms: this.#duration() };
    if (kind < 0.68) return { type: 'log' };
    if (kind < 0.74) return { type: 'loop', times: this.#random.between(1, 3), body: this.#some(2, depth) };
    if (kind < 0.78) return { type: 'coin', heads: this.#some(2, depth), tails: this.#some(1, depth) };
    if (kind < 0.82) return { type: 'guarded', ms: this.#duration(), body: this.#some(2, depth) };
    if (kind < 0.86 && !this.#steady) return { type: 'left', body: this.#some(2, depth) };
    return this.#together(depth);
  }

  #call(depth: number): Step {
    const tool = this.#random.pick(tools);
    // Inside combinators, the timing decides which of two errors is first.
    const caught = depth > 0 ? this.#steady || this.#random.chance(0.6) : this.#random.chance(0.85);
    // The same input in several steps, so that one answer can cover all of them.
    const site = this.#random.chance(0.15) ? 'same' : '';
    return { type: 'call', tool, site, caught };
  }

  #together(depth: number): Step {
    const type = this.#steady
      ? this.#random.pick(['all', 'allSettled'] as const)
      : this.#random.pick(['all', 'allSettled', 'race', 'any'] as const);
    const branches = Array.from({ length: this.#random.between(2, 4) }, () => this.#some(2, depth));
    return { type, branches };
  }

  #some(most: number, depth: number): Step[] {
    return this.steps(this.#random.between(1, most), depth + 1);
  }

  #duration(): number {
    const kind = this.#random.next();
    if (kind < 0.4) return this.#random.between(0, 50);
    if (kind < 0.7) return this.#random.between(50, 5 * second);
    if (kind < 0.9) return this.#random.between(5 * second, 3_600 * second);
    return this.#random.between(day / 2, 3 * day);
  }
}

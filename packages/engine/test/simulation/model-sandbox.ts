import {
  type CallResult,
  type Compilation,
  type Completion,
  type RecordedCall,
  type Sandbox,
  type SandboxHooks,
  type SandboxOutcome,
  type SandboxRequest,
  sleepPath,
} from '../../src/ports/sandbox.ts';
import { hashOf, Random } from './random.ts';
import { interpret, type Script, ScriptError } from './script.ts';
import { settled } from './virtual-time.ts';

export interface SandboxPlace {
  /** Runs a task later, if the process is still alive then. */
  later(label: string, run: () => void | Promise<void>): void;
  started(runKey: string, machine: Machine): void;
}

/** An implementation of the sandbox port that interprets scripts. `program.source` names the run; `program.code` is the script. */
export class ModelSandbox implements Sandbox {
  readonly runtimeId = 'model';
  readonly build = 'model-1';
  readonly #place: SandboxPlace;

  constructor(place: SandboxPlace) {
    this.#place = place;
  }

  async compile(source: string): Promise<Compilation> {
    return { type: 'compiled', program: { source, code: source, head: 0, drains: true } };
  }

  run(request: SandboxRequest, hooks: SandboxHooks, signal?: AbortSignal): Promise<SandboxOutcome> {
    return new Promise((resolve) => {
      const machine = this.machine(request, hooks, { later: this.#place.later, resolve });
      this.#place.started(request.program.source, machine);
      if (signal?.aborted) machine.cancel();
      else signal?.addEventListener('abort', () => machine.cancel(), { once: true });
      this.#place.later('sandbox starts', () => machine.start());
    });
  }

  protected machine(request: SandboxRequest, hooks: SandboxHooks, surroundings: Surroundings): Machine {
    return new Machine(request, hooks, surroundings);
  }
}

type Ending = SandboxOutcome extends infer Outcome
  ? Outcome extends SandboxOutcome
    ? Omit<Outcome, 'usage'>
    : never
  : never;

export interface Surroundings {
  later: SandboxPlace['later'];
  resolve(outcome: SandboxOutcome): void;
}

/**
 * One run of a script. The engine gets the messages of a slice afterwards, one by one, as if from another process. Completions that arrive
 * meanwhile wait for the next slice.
 */
export class Machine {
  readonly delivered: Completion[] = [];
  readonly deliveredBefore: number[] = [];
  protected inbox: Completion[] = [];
  readonly #request: SandboxRequest;
  readonly #hooks: SandboxHooks;
  readonly #surroundings: Surroundings;
  readonly #waiters = new Map<number, { resolve(value: unknown): void; reject(error: unknown): void }>();
  readonly #recorded: readonly RecordedCall[];
  readonly #answered: Set<number>;
  readonly #messages: (() => void)[] = [];
  readonly #random: Random;
  #lines = 0;
  #busy = true;
  #ending: Ending | undefined;
  /** The code has returned. The run ends when no call is open that it waits for. */
  #returned: (Ending & { type: 'returned' }) | undefined;
  #hasSaidReturn = false;
  /** Timers, for which the run does not wait. */
  readonly #timers = new Set<number>();
  #closed = false;

  constructor(request: SandboxRequest, hooks: SandboxHooks, surroundings: Surroundings) {
    this.#request = request;
    this.#hooks = hooks;
    this.#surroundings = surroundings;
    this.#recorded = request.history?.calls ?? [];
    this.#answered = new Set(request.history?.completions.map(({ index }) => index));
    this.#random = new Random(hashOf(request.seed));
  }

  cancel(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#surroundings.later('sandbox cancelled', () => this.#resolve({ type: 'cancelled' }));
  }

  async start(): Promise<void> {
    if (this.#closed) return;
    const script = JSON.parse(this.#request.program.code) as Script;
    this.#interpret(script);
    await settled();
    this.#drain();
    const { completions = [] } = this.#request.history ?? {};
    for (const completion of completions) {
      if (this.#ending) break;
      await this.#deliver(completion);
    }
    if (this.#ending?.type === 'returned' || this.#ending?.type === 'threw') this.#requireAllMade();
    this.#endSlice();
  }

  /** Delivers completions in order and lets the code settle after each. */
  protected async slice(): Promise<void> {
    if (this.#closed) return;
    for (const completion of this.inbox.splice(0)) {
      if (this.#ending) break;
      this.#hooks.onDeliver?.(completion);
      await this.#deliver(completion);
    }
    this.#endSlice();
  }

  async #deliver(completion: Completion): Promise<void> {
    const waiter = this.#waiters.get(completion.index);
    if (!waiter) {
      const { index } = completion;
      const recorded = this.#recorded[index];
      this.#end({ type: 'nondeterminism', message: 'not made', index, ...(recorded && { recorded }) });
      return;
    }
    this.#waiters.delete(completion.index);
    this.delivered.push(completion);
    settle(waiter, completion.result);
    await settled();
    this.#drain();
  }

  #drain(): void {
    if (!this.#returned) return;
    const open = [...this.#waiters.keys()].filter((index) => !this.#timers.has(index));
    if (open.length === 0) this.#end(this.#returned);
  }

  #interpret(script: Script): void {
    const api = {
      call: (path: string, input: unknown) => this.#call(path, input).answer,
      sleep: async (ms: number) => {
        await this.#call(sleepPath, { ms }).answer;
      },
      timer: (ms: number) => {
        const { index, answer } = this.#call(sleepPath, { ms });
        this.#timers.add(index);
        answer.catch(() => {});
        return () => this.#abandon(index);
      },
      log: (text: string) => this.#log(text),
      random: () => this.#random.next(),
    };
    interpret(script, api).then(
      (value) => {
        this.#returned = { type: 'returned', json: JSON.stringify(value ?? null) };
      },
      (error: Error) => this.#end({ type: 'threw', error: codeErrorOf(error) }),
    );
  }

  #call(path: string, value: unknown): { index: number; answer: Promise<unknown> } {
    const index = this.deliveredBefore.length;
    const input = JSON.stringify(value);
    const call = { index, path, input, inputHash: hashOf(input).toString(36) };
    this.deliveredBefore.push(this.delivered.length);
    const recorded = this.#recorded[index];
    if (recorded && (recorded.path !== path || recorded.inputHash !== call.inputHash)) {
      this.#end({ type: 'nondeterminism', message: `${path} ${input}`, index, recorded, made: call });
    } else if (!this.#answered.has(index) && !this.#ending) {
      this.#say(() => this.#hooks.onCall(call, (completion) => this.complete(completion)));
    }
    const answer = new Promise((resolve, reject) => this.#waiters.set(index, { resolve, reject }));
    return { index, answer };
  }

  protected complete(completion: Completion): void {
    if (this.#closed) return;
    this.inbox.push(completion);
    if (!this.#busy) this.#begin();
  }

  #begin(): void {
    this.#busy = true;
    this.#surroundings.later('sandbox slice', () => this.slice());
  }

  #abandon(index: number): void {
    if (!this.#waiters.has(index) || this.#answered.has(index)) return;
    this.#say(() => this.#hooks.onAbandon?.(index));
  }

  #log(text: string): void {
    const line = { index: this.#lines++, level: 'log', text, at: this.#request.epoch } as const;
    if (line.index >= (this.#request.history?.logLines ?? 0)) this.#say(() => this.#hooks.onLog?.(line));
  }

  #end(ending: Ending): void {
    this.#ending ??= ending;
  }

  /** A recorded call that the code did not make this time. */
  #requireAllMade(): void {
    const index = this.deliveredBefore.length;
    const recorded = this.#recorded[index];
    if (recorded) this.#ending = { type: 'nondeterminism', message: 'fewer calls', index, recorded };
  }

  #say(message: () => void): void {
    this.#messages.push(message);
  }

  #endSlice(): void {
    if (this.#returned && !this.#ending && !this.#hasSaidReturn) {
      this.#hasSaidReturn = true;
      this.#say(() => this.#hooks.onReturn?.());
    }
    this.#say(() => this.#rest());
    this.#tellNext();
  }

  #tellNext(): void {
    const message = this.#messages.shift();
    if (!message || this.#closed) return;
    message();
    if (this.#messages.length > 0) this.#surroundings.later('sandbox speaks', () => this.#tellNext());
  }

  #rest(): void {
    if (this.#ending) {
      this.#closed = true;
      this.#resolve(this.#ending);
      return;
    }
    this.#busy = false;
    if (this.inbox.length > 0) this.#begin();
    else this.#hooks.onRest?.(this.#usage());
  }

  #resolve(ending: Ending): void {
    this.#surroundings.resolve({ ...ending, usage: this.#usage() } as SandboxOutcome);
  }

  #usage() {
    const calls = this.deliveredBefore.length;
    return { cpuMs: 1, replayCpuMs: 0, memoryBytes: 1, calls, logBytes: 0, resultBytes: 0 };
  }
}

function settle(
  { resolve, reject }: { resolve(value: unknown): void; reject(error: unknown): void },
  result: CallResult,
): void {
  if (result.type === 'value') {
    resolve(JSON.parse(result.json));
    return;
  }
  const { code } = JSON.parse(result.details ?? '{}') as { code?: string };
  reject(new ScriptError(result.name, result.message, code ?? ''));
}

function codeErrorOf({ name, message }: Error) {
  return { name, message, reason: 'thrown' as const };
}

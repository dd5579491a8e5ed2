import type { Compilation } from '@executor/engine';
import { ChildProcess } from '../child-process/child-process.ts';
import type { ChildCommand } from '../child-process/confinement.ts';

/** `broke`: the process crashed or missed its deadline. `killed`: something else killed it. */
export type CompilerAnswer = { type: 'answered'; compilation: Compilation } | { type: 'broke' | 'killed' };

export interface CompilerTimes {
  /** After this time, other sources no longer wait for the process. */
  slowMs: number;
  deadlineMs: number;
  idleMs: number;
}

const startMs = 30_000;

interface Current {
  answer(answer: CompilerAnswer): void;
  slow: boolean;
}

/** A compiler process. It compiles one source at a time. It is killed when that takes too long, or when it was idle for long. */
export class CompilerProcess {
  readonly #child: ChildProcess;
  #current: Current | undefined;
  #timer: NodeJS.Timeout | undefined;
  #ready = false;
  readonly #times: CompilerTimes;
  readonly #events: { onSlow(): void; onEnd(process: CompilerProcess): void };

  constructor(
    command: ChildCommand,
    times: CompilerTimes,
    events: { onSlow(): void; onEnd(process: CompilerProcess): void },
  ) {
    this.#times = times;
    this.#events = events;
    this.#child = new ChildProcess(command, {
      onFrame: (head, body) => {
        if (head === 'ready') this.#beReady();
        else this.#finish({ type: 'answered', compilation: JSON.parse(body.toString()) });
      },
      onEnd: (cause) => this.#end(cause === 'killed' ? 'killed' : 'broke'),
    });
    this.#becomeIdle();
  }

  get isFree(): boolean {
    return this.#current === undefined;
  }

  get isSlow(): boolean {
    return this.#current?.slow === true;
  }

  ask(source: string, answer: (answer: CompilerAnswer) => void): void {
    this.#current = { answer, slow: false };
    this.#child.setReferenced(true);
    this.#child.send('compile', source);
    if (this.#ready) this.#watch();
    else this.#after(startMs, () => this.#child.kill());
  }

  /** The caller of the current compilation gets no answer. */
  kill(): void {
    this.#current = undefined;
    this.#child.kill();
  }

  /** The deadline counts from here, because the start of the process says nothing about the source. */
  #beReady(): void {
    this.#ready = true;
    if (this.#current) this.#watch();
  }

  #watch(): void {
    this.#after(this.#times.slowMs, () => this.#beSlow());
  }

  #beSlow(): void {
    if (this.#current) this.#current.slow = true;
    this.#after(this.#times.deadlineMs - this.#times.slowMs, () => this.#child.kill());
    this.#events.onSlow();
  }

  #finish(answer: CompilerAnswer): void {
    const current = this.#current;
    this.#current = undefined;
    this.#becomeIdle();
    current?.answer(answer);
  }

  #becomeIdle(): void {
    this.#child.setReferenced(false);
    this.#after(this.#times.idleMs, () => this.#child.kill());
    this.#timer?.unref();
  }

  #after(ms: number, act: () => void): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(act, ms);
  }

  #end(type: 'broke' | 'killed'): void {
    clearTimeout(this.#timer);
    const current = this.#current;
    this.#current = undefined;
    this.#events.onEnd(this);
    current?.answer({ type });
  }
}

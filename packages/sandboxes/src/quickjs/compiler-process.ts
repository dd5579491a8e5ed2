import type { Compilation } from '@executor/engine';
import { ChildProcess } from './child-process.ts';
import type { ChildCommand } from './confinement.ts';

/** What came of a question: an answer, or the end of the process, by itself or by the deadline (`broke`) or by a stranger's hand. */
export type CompilerAnswer = { type: 'answered'; compilation: Compilation } | { type: 'broke' | 'killed' };

export interface CompilerTimes {
  /** After which others should not wait for it. */
  slowMs: number;
  deadlineMs: number;
  idleMs: number;
}

const startMs = 30_000;

interface Current {
  answer(answer: CompilerAnswer): void;
  slow: boolean;
}

/** One process of the compiler: one question at a time, killed when that takes too long, or when there is none for long. */
export class CompilerProcess {
  private readonly child: ChildProcess;
  private current: Current | undefined;
  private timer: NodeJS.Timeout | undefined;
  private ready = false;

  constructor(
    command: ChildCommand,
    private readonly times: CompilerTimes,
    private readonly events: { onSlow(): void; onEnd(process: CompilerProcess): void },
  ) {
    this.child = new ChildProcess(command, {
      onFrame: (head, body) => {
        if (head === 'ready') this.beReady();
        else this.finish({ type: 'answered', compilation: JSON.parse(body.toString()) });
      },
      onEnd: (cause) => this.end(cause === 'killed' ? 'killed' : 'broke'),
    });
    this.rest();
  }

  get isFree(): boolean {
    return this.current === undefined;
  }

  get isSlow(): boolean {
    return this.current?.slow === true;
  }

  ask(source: string, answer: (answer: CompilerAnswer) => void): void {
    this.current = { answer, slow: false };
    this.child.setReferenced(true);
    this.child.send('compile', source);
    if (this.ready) this.watch();
    else this.after(startMs, () => this.child.kill());
  }

  /** Whoever asked is told nothing. */
  kill(): void {
    this.current = undefined;
    this.child.kill();
  }

  /** How long it takes to start says nothing about the source. */
  private beReady(): void {
    this.ready = true;
    if (this.current) this.watch();
  }

  private watch(): void {
    this.after(this.times.slowMs, () => this.beSlow());
  }

  private beSlow(): void {
    if (this.current) this.current.slow = true;
    this.after(this.times.deadlineMs - this.times.slowMs, () => this.child.kill());
    this.events.onSlow();
  }

  private finish(answer: CompilerAnswer): void {
    const { current } = this;
    this.current = undefined;
    this.rest();
    current?.answer(answer);
  }

  private rest(): void {
    this.child.setReferenced(false);
    this.after(this.times.idleMs, () => this.child.kill());
    this.timer?.unref();
  }

  private after(ms: number, act: () => void): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(act, ms);
  }

  private end(type: 'broke' | 'killed'): void {
    clearTimeout(this.timer);
    const { current } = this;
    this.current = undefined;
    this.events.onEnd(this);
    current?.answer({ type });
  }
}

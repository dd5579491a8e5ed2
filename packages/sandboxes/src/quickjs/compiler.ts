import type { CodeError, Compilation } from '@executor/engine';
import { ChildProcess } from './child-process.ts';
import { type ChildCommand, type Confinement, childCommand } from './confinement.ts';

/**
 * The compiler's process, from the server's side: one question at a time, started on first use, killed when it takes too long or
 * breaks (source can be made to do both), stopped when idle.
 */
interface Question {
  source: string;
  answer(compilation: Compilation): void;
}

const deadlineMs = 10_000;

export class Compiler {
  private child: ChildProcess | undefined;
  private readonly queue: Question[] = [];
  private current: Question | undefined;
  private deadline: NodeJS.Timeout | undefined;
  private readonly command: ChildCommand;

  constructor(
    confinement: Confinement,
    private readonly options: { folder: string; idleMs: number },
  ) {
    this.command = childCommand(confinement, 'compiler.cjs', options.folder);
  }

  /** Rejects with the signal's reason when that comes first. */
  compile(source: string, signal?: AbortSignal): Promise<Compilation> {
    return new Promise((resolve, reject) => {
      const cancel = () => {
        this.cancel(question);
        reject(signal?.reason);
      };
      const question: Question = {
        source,
        answer(compilation) {
          signal?.removeEventListener('abort', cancel);
          resolve(compilation);
        },
      };
      if (signal?.aborted) return reject(signal.reason);
      signal?.addEventListener('abort', cancel);
      this.queue.push(question);
      this.next();
    });
  }

  warmUp(): void {
    this.start();
  }

  close(): void {
    clearTimeout(this.deadline);
    this.child?.kill();
  }

  /** A parser that is at work on it would keep the others waiting. */
  private cancel(question: Question): void {
    if (question === this.current) {
      this.current = undefined;
      this.child?.kill();
      this.next();
      return;
    }
    const position = this.queue.indexOf(question);
    if (position >= 0) this.queue.splice(position, 1);
  }

  private next(): void {
    if (this.current) return;
    this.current = this.queue.shift();
    if (this.current) this.ask(this.current);
    else this.rest();
  }

  private ask({ source }: Question): void {
    const child = this.start();
    child.setReferenced(true);
    child.send('compile', source);
    this.within(deadlineMs);
  }

  private start(): ChildProcess {
    this.child ??= new ChildProcess(this.command, {
      onFrame: (head, body) => {
        if (head !== 'ready') this.answer(JSON.parse(body.toString()));
      },
      onEnd: () => this.end(),
    });
    return this.child;
  }

  private rest(): void {
    this.child?.setReferenced(false);
    this.within(this.options.idleMs);
    this.deadline?.unref();
  }

  private within(ms: number): void {
    clearTimeout(this.deadline);
    this.deadline = setTimeout(() => this.child?.kill(), ms);
  }

  private answer(compilation: Compilation): void {
    const { current } = this;
    this.current = undefined;
    current?.answer(compilation);
    this.next();
  }

  private end(): void {
    clearTimeout(this.deadline);
    this.child = undefined;
    if (this.current) this.answer({ type: 'rejected', error: tooMuch });
  }
}

const tooMuch: CodeError = {
  name: 'SyntaxError',
  message: 'The code cannot be parsed: it is nested too deeply, or takes too long to read.',
  reason: 'syntax',
};

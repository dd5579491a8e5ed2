import type { CodeError, Compilation } from '@executor/engine';
import { ExecutorError } from '@executor/protocol';
import { type CompilerAnswer, CompilerProcess } from './compiler-process.ts';
import { type ChildCommand, type Confinement, childCommand } from './confinement.ts';

/**
 * The compiler, from the server's side. One process is enough for honest code; source that keeps it busy for long gets company, so that
 * nobody waits for it. Processes start on first use and stop when idle.
 */
interface Question {
  source: string;
  /** Processes that a stranger killed over it. */
  kills: number;
  process?: CompilerProcess;
  resolve(compilation: Compilation): void;
  reject(error: unknown): void;
}

const deadlineMs = 10_000;
const slowMs = 300;
const maxProcesses = 3;
const maxKills = 3;

export class Compiler {
  private readonly processes = new Set<CompilerProcess>();
  private readonly open = new Set<Question>();
  private readonly queue: Question[] = [];
  private readonly command: ChildCommand;
  private closed = false;

  constructor(
    confinement: Confinement,
    private readonly options: { folder: string; idleMs: number },
  ) {
    this.command = childCommand(confinement, 'compiler.cjs', options.folder);
  }

  /** Rejects with the signal's reason when that comes first. */
  compile(source: string, signal?: AbortSignal): Promise<Compilation> {
    return new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason);
      if (this.closed) return reject(closedError());
      const cancel = () => this.cancel(question, signal?.reason);
      const question: Question = {
        source,
        kills: 0,
        resolve(compilation) {
          signal?.removeEventListener('abort', cancel);
          resolve(compilation);
        },
        reject(error) {
          signal?.removeEventListener('abort', cancel);
          reject(error);
        },
      };
      signal?.addEventListener('abort', cancel);
      this.open.add(question);
      this.queue.push(question);
      this.next();
    });
  }

  warmUp(): void {
    if (!this.closed && this.processes.size === 0) this.start();
  }

  close(): void {
    this.closed = true;
    this.queue.length = 0;
    for (const process of [...this.processes]) process.kill();
    for (const { reject } of this.open) reject(closedError());
    this.open.clear();
  }

  /** A parser that is at work on it would keep the others waiting. */
  private cancel(question: Question, reason: unknown): void {
    this.open.delete(question);
    const position = this.queue.indexOf(question);
    if (position >= 0) this.queue.splice(position, 1);
    question.process?.kill();
    question.reject(reason);
  }

  private next(): void {
    while (!this.closed && this.queue.length > 0) {
      const process = this.freeProcess();
      if (!process) return;
      const question = this.queue.shift() as Question;
      question.process = process;
      process.ask(question.source, (answer) => this.receive(question, answer));
    }
  }

  private freeProcess(): CompilerProcess | undefined {
    const all = [...this.processes];
    const free = all.find(({ isFree }) => isFree);
    if (free || all.length >= maxProcesses || all.some(({ isSlow }) => !isSlow)) return free;
    return this.start();
  }

  private start(): CompilerProcess {
    const times = { slowMs, deadlineMs, idleMs: this.options.idleMs };
    const process = new CompilerProcess(this.command, times, {
      onSlow: () => this.next(),
      onEnd: (ended) => {
        this.processes.delete(ended);
        this.next();
      },
    });
    this.processes.add(process);
    return process;
  }

  private receive(question: Question, answer: CompilerAnswer): void {
    delete question.process;
    if (answer.type === 'killed' && ++question.kills < maxKills) this.queue.unshift(question);
    else {
      this.open.delete(question);
      question.resolve(answer.type === 'answered' ? answer.compilation : tooMuch);
    }
    this.next();
  }
}

function closedError(): ExecutorError {
  return new ExecutorError('internal', 'The sandbox is closed; nothing more is compiled.');
}

const error: CodeError = {
  name: 'SyntaxError',
  message: 'The code cannot be parsed: it is nested too deeply, or takes too long to read.',
  reason: 'syntax',
};
const tooMuch: Compilation = { type: 'rejected', error };

import { type CodeError, type Compilation, chargedAccount, FairQueue } from '@executor/engine';
import { ExecutorError } from '@executor/protocol';
import { type ChildCommand, type Confinement, childCommand } from '../child-process/confinement.ts';
import { type CompilerAnswer, CompilerProcess } from './compiler-process.ts';

/*
 * The compiler processes. One process is enough for ordinary code. If a source keeps it busy for long, another process starts, so that
 * other callers need not wait. The key whose sources were the shortest is next, and only one large source is compiled at a time, so that
 * small code does not wait behind the large code of other keys. Processes start on first use and stop when idle.
 */
interface Question {
  /** The key that is charged. */
  owner: string;
  source: string;
  /** How often something else killed the process that compiled this source. */
  kills: number;
  process?: CompilerProcess;
  resolve(compilation: Compilation): void;
  reject(error: unknown): void;
}

const deadlineMs = 10_000;
const slowMs = 300;
const maxProcesses = 2;
const maxKills = 3;
/** In characters. Larger sources leave a process to the others. */
const smallSource = 64 * 1024;
/** What each source costs besides its length, in characters. */
const fixedCost = 1_000;

export class CompilerPool {
  readonly #processes = new Set<CompilerProcess>();
  readonly #open = new Set<Question>();
  readonly #queue = new FairQueue<Question>(({ source }) => source.length + fixedCost);
  /** Sources whose process was killed by something else. They are next. */
  readonly #again: Question[] = [];
  readonly #command: ChildCommand;
  #closed = false;
  readonly #options: { folder: string; idleMs: number };

  constructor(confinement: Confinement, options: { folder: string; idleMs: number }) {
    this.#options = options;
    this.#command = childCommand(confinement, 'compiler.cjs', options.folder);
  }

  /** Rejects with the signal's reason if the signal aborts first. */
  compile(source: string, signal?: AbortSignal): Promise<Compilation> {
    return new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason);
      if (this.#closed) return reject(closedError());
      const cancel = () => this.#cancel(question, signal?.reason);
      const question: Question = {
        owner: chargedAccount().key,
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
      this.#open.add(question);
      this.#queue.add(question.owner, question);
      this.#next();
    });
  }

  warmUp(): void {
    if (!this.#closed && this.#processes.size === 0) this.#start();
  }

  close(): void {
    this.#closed = true;
    this.#queue.drain();
    this.#again.length = 0;
    for (const process of [...this.#processes]) process.kill();
    for (const { reject } of this.#open) reject(closedError());
    this.#open.clear();
  }

  /** Kills the process that works on the source, so that others need not wait for it. */
  #cancel(question: Question, reason: unknown): void {
    this.#open.delete(question);
    this.#queue.remove(question.owner, question);
    const position = this.#again.indexOf(question);
    if (position >= 0) this.#again.splice(position, 1);
    question.process?.kill();
    question.reject(reason);
  }

  #next(): void {
    for (;;) {
      const question = this.#again[0] ?? this.#queue.next((waiting) => this.#mayBegin(waiting));
      const process = question && !this.#closed ? this.#freeProcess() : undefined;
      if (question === undefined || process === undefined) return;
      if (question === this.#again[0]) this.#again.shift();
      else this.#queue.remove(question.owner, question);
      question.process = process;
      process.ask(question.source, (answer) => this.#receive(question, answer));
    }
  }

  #mayBegin({ source }: Question): boolean {
    if (source.length <= smallSource) return true;
    return ![...this.#open].some((other) => other.process && other.source.length > smallSource);
  }

  #freeProcess(): CompilerProcess | undefined {
    const all = [...this.#processes];
    const free = all.find(({ isFree }) => isFree);
    if (free || all.length >= maxProcesses || all.some(({ isSlow }) => !isSlow)) return free;
    return this.#start();
  }

  #start(): CompilerProcess {
    const times = { slowMs, deadlineMs, idleMs: this.#options.idleMs };
    const process = new CompilerProcess(this.#command, times, {
      onSlow: () => this.#next(),
      onEnd: (ended) => {
        this.#processes.delete(ended);
        this.#next();
      },
    });
    this.#processes.add(process);
    return process;
  }

  #receive(question: Question, answer: CompilerAnswer): void {
    delete question.process;
    if (answer.type === 'killed' && ++question.kills < maxKills) this.#again.push(question);
    else {
      this.#open.delete(question);
      question.resolve(answer.type === 'answered' ? answer.compilation : tooMuch);
    }
    this.#next();
  }
}

function closedError(): ExecutorError {
  return new ExecutorError('internal', 'The sandbox is closed and compiles no more code.');
}

const error: CodeError = {
  name: 'SyntaxError',
  message: 'The code cannot be parsed: it is nested too deeply, or parsing takes too long.',
  reason: 'syntax',
};
const tooMuch: Compilation = { type: 'rejected', error };

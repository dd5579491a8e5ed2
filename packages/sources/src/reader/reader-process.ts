import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { type FrameKind, FrameReader, framePrefix } from './frame.ts';
import { FromReader, type ToReader } from './messages.ts';

export interface ReaderEvents {
  onMessage(message: FromReader): void;
  onBytes(kind: 'tools' | 'original', bytes: Uint8Array): void;
}

/** How a reader process ended. */
export type ReaderEnd = 'ended' | 'outOfMemory' | 'crashed' | 'invalidOutput' | 'timedOut' | 'killed';

export interface ReaderLimits {
  heapMegabytes: number;
  /** Limit of CPU time, or of elapsed time if CPU time is not available. */
  cpuMs: number;
}

const defaultLimits: ReaderLimits = { heapMegabytes: 1_400, cpuMs: 60_000 };
/** On a busy machine, elapsed time may be this many times the limit of CPU time. */
const elapsedFactor = 5;
const checkMs = 500;

/**
 * A process that reads one untrusted document. It has an empty environment, can read no file but its own program, and has limits for
 * memory and time. Its messages are not trusted. `ended` resolves once, with how it ended.
 */
export class ReaderProcess {
  readonly ended: Promise<ReaderEnd>;
  readonly #child: ChildProcessWithoutNullStreams;
  readonly #limits: ReaderLimits;
  readonly #started = performance.now();
  #cause: ReaderEnd | undefined;
  #pauses = 0;
  #pausedMs = 0;

  constructor(program: string, events: ReaderEvents, limits: Partial<ReaderLimits> = {}) {
    this.#limits = { ...defaultLimits, ...limits };
    this.#child = spawn(process.execPath, args(program, this.#limits), { env: {}, stdio: 'pipe' });
    const frames = new FrameReader((kind, bytes) => this.#receive(kind, bytes, events));
    this.#child.stdout.on('data', (chunk: Buffer) => this.#guard(() => frames.push(chunk)));
    // A killed child breaks its pipes; without listeners that would end the server.
    for (const stream of [this.#child.stdin, this.#child.stdout, this.#child.stderr])
      stream.on('error', () => {});
    this.#child.stderr.resume();
    const watch = setInterval(() => this.#watch(), checkMs);
    this.ended = new Promise<ReaderEnd>((done) => {
      this.#child.on('error', () => done('crashed'));
      this.#child.on('close', (code, signal) => done(this.#cause ?? endOf(code, signal)));
    }).finally(() => clearInterval(watch));
  }

  /** Whether it no longer accepts input. */
  get hasEnded(): boolean {
    return this.#cause !== undefined || !this.#child.stdin.writable;
  }

  send(message: ToReader): void {
    void this.#write('message', Buffer.from(JSON.stringify(message)));
  }

  /** Resolves when the pipe accepts more. */
  async sendDocument(bytes: Uint8Array): Promise<void> {
    await this.#write('document', bytes);
  }

  kill(cause: ReaderEnd = 'killed'): void {
    this.#cause ??= cause;
    this.#child.kill('SIGKILL');
  }

  /** Pauses the timer while the process waits for the server. The returned function resumes it. */
  pause(): () => void {
    const began = performance.now();
    this.#pauses += 1;
    let isResumed = false;
    return () => {
      if (isResumed) return;
      isResumed = true;
      this.#pauses -= 1;
      this.#pausedMs += performance.now() - began;
    };
  }

  async #write(kind: FrameKind, bytes: Uint8Array): Promise<void> {
    const { stdin } = this.#child;
    if (!stdin.writable) return;
    stdin.write(framePrefix(kind, bytes.length));
    if (!stdin.write(bytes)) await Promise.race([once(stdin, 'drain'), this.ended]).catch(() => {});
  }

  #receive(kind: FrameKind, bytes: Buffer, events: ReaderEvents): void {
    if (this.#cause !== undefined) return;
    if (kind === 'message') events.onMessage(FromReader.parse(JSON.parse(bytes.toString())));
    // Copied, so that a small slice does not keep a large chunk in memory.
    else if (kind !== 'document') events.onBytes(kind, new Uint8Array(bytes));
  }

  #guard(work: () => void): void {
    try {
      work();
    } catch {
      this.kill('invalidOutput');
    }
  }

  #watch(): void {
    const elapsedMs = this.#pauses > 0 ? 0 : performance.now() - this.#started - this.#pausedMs;
    const usedMs = this.#cpuMs();
    const { cpuMs } = this.#limits;
    if (usedMs === undefined ? elapsedMs > cpuMs : usedMs > cpuMs || elapsedMs > cpuMs * elapsedFactor)
      this.kill('timedOut');
  }

  /** Undefined if the operating system does not report CPU time. */
  #cpuMs(): number | undefined {
    try {
      const [nanoseconds] = readFileSync(`/proc/${this.#child.pid}/schedstat`, 'utf8').split(' ');
      return Number(nanoseconds) / 1e6;
    } catch {
      return undefined;
    }
  }
}

function args(program: string, { heapMegabytes }: ReaderLimits): string[] {
  // Node 20 and 22 accept only the first spelling of the flag, Node 24 only the second.
  const name = process.allowedNodeEnvironmentFlags.has('--permission')
    ? '--permission'
    : '--experimental-permission';
  const folder = dirname(resolve(program));
  return [
    '--no-warnings',
    name,
    `--allow-fs-read=${folder}/*`,
    `--max-old-space-size=${heapMegabytes}`,
    resolve(program),
  ];
}

/** V8 aborts when it runs out of memory. */
function endOf(code: number | null, signal: NodeJS.Signals | null): ReaderEnd {
  if (signal === 'SIGABRT' || signal === 'SIGTRAP' || code === 134) return 'outOfMemory';
  return code === 0 ? 'ended' : 'crashed';
}

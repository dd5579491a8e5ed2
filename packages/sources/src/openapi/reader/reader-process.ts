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

/** How a reader ended: by itself, or how not. */
export type ReaderEnd = 'ended' | 'outOfMemory' | 'crashed' | 'nonsense' | 'tooSlow' | 'killed';

export interface ReaderLimits {
  heapMegabytes: number;
  /** Of processor time; where that cannot be told, of time. */
  cpuMs: number;
}

const defaultLimits: ReaderLimits = { heapMegabytes: 1_400, cpuMs: 60_000 };
/** How much longer than its processor time it may take on a busy machine. */
const patience = 5;
const checkMs = 500;

/**
 * A process that reads one document of a stranger. It has no environment, may read nothing but its own program, and its memory and time are
 * bounded; what it says is not trusted. `ended` resolves once, with the way in which it ended.
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

  /** Whether it hears nothing any more. */
  get isOver(): boolean {
    return this.#cause !== undefined || !this.#child.stdin.writable;
  }

  send(message: ToReader): void {
    void this.#write('message', Buffer.from(JSON.stringify(message)));
  }

  /** Resolves when there is room for more. */
  async sendDocument(bytes: Uint8Array): Promise<void> {
    await this.#write('document', bytes);
  }

  kill(cause: ReaderEnd = 'killed'): void {
    this.#cause ??= cause;
    this.#child.kill('SIGKILL');
  }

  /** Stops its clock while it waits for something that is not its own, until the function is called that comes back. */
  pause(): () => void {
    const began = performance.now();
    this.#pauses += 1;
    let over = false;
    return () => {
      if (over) return;
      over = true;
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
    // A copy, so that a small piece does not keep a large chunk of the pipe alive.
    else if (kind !== 'document') events.onBytes(kind, new Uint8Array(bytes));
  }

  #guard(work: () => void): void {
    try {
      work();
    } catch {
      this.kill('nonsense');
    }
  }

  #watch(): void {
    const wallMs = this.#pauses > 0 ? 0 : performance.now() - this.#started - this.#pausedMs;
    const usedMs = this.#cpuMs();
    const { cpuMs } = this.#limits;
    if (usedMs === undefined ? wallMs > cpuMs : usedMs > cpuMs || wallMs > cpuMs * patience)
      this.kill('tooSlow');
  }

  /** Undefined where the system does not tell. */
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
  // Node 20 and 22 know the flag only by its first name, Node 24 only by its second.
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

/** V8 aborts where there is no memory left. */
function endOf(code: number | null, signal: NodeJS.Signals | null): ReaderEnd {
  if (signal === 'SIGABRT' || signal === 'SIGTRAP' || code === 134) return 'outOfMemory';
  return code === 0 ? 'ended' : 'crashed';
}

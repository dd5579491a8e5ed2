import { type ChildProcess, spawn } from 'node:child_process';
import { setPriority } from 'node:os';
import { FairQueue, type TypeCheck, type TypeChecker, type TypeCheckRequest } from '@executor/engine';
import type { FromChecker, ToChecker } from './messages.ts';

export interface CheckerProcessOptions {
  /** Folder of the checker program and its files. */
  folder: string;
  /** Timeout of one check, and of the process start before the first check. */
  deadlineMs?: number;
  startMs?: number;
  /** Maximum time in the queue. */
  waitMs?: number;
  /** Stops the process after this idle time. */
  idleMs?: number;
  megabytes?: number;
}

export interface ProcessTypeChecker extends TypeChecker {
  close(): void;
}

/** A type checker in a process of its own, started on first use and stopped when idle. It runs one check at a time. */
export function createTypeChecker(options: CheckerProcessOptions): ProcessTypeChecker {
  return new CheckerProcess(options);
}

interface PendingCheck extends TypeCheckRequest {
  resolve(result: TypeCheck): void;
}

interface QueuedCheck extends PendingCheck {
  timer: NodeJS.Timeout;
}

/** Maximum queue length of one key. Checks beyond it are skipped. */
const maxQueuedPerOwner = 10;
/** Above this memory, the process is replaced between two checks. */
const replaceMegabytes = 450;

class CheckerProcess implements ProcessTypeChecker {
  readonly #options: Required<CheckerProcessOptions>;
  /** A key with long checks gets fewer turns. How long a check takes is known only afterwards. */
  readonly #queue = new FairQueue<QueuedCheck>(() => 0);
  #child: ChildProcess | undefined;
  #isReady = false;
  #current: (PendingCheck & { id: number; startedAt: number }) | undefined;
  #timer: NodeJS.Timeout | undefined;
  #count = 0;

  constructor(options: CheckerProcessOptions) {
    const usual = { deadlineMs: 4_000, startMs: 10_000, waitMs: 6_000, idleMs: 120_000, megabytes: 1_024 };
    this.#options = { ...usual, ...options };
  }

  check(request: TypeCheckRequest): Promise<TypeCheck> {
    if (this.#queue.sizeOf(request.owner) >= maxQueuedPerOwner)
      return Promise.resolve(skipped('too many other checks are queued'));
    return new Promise((resolve) => {
      this.#enqueue({ ...request, resolve });
      this.#next();
    });
  }

  /** A queued check is skipped if the checks before it take too long. */
  #enqueue(check: PendingCheck): void {
    const timer = setTimeout(() => {
      this.#queue.remove(check.owner, waiting);
      check.resolve(skipped('it waited too long for other checks'));
    }, this.#options.waitMs);
    const waiting = { ...check, timer };
    this.#queue.add(check.owner, waiting);
  }

  close(): void {
    for (const { resolve, timer } of this.#queue.drain()) {
      clearTimeout(timer);
      resolve(skipped('the process ends'));
    }
    this.#end('the process ends');
  }

  #next(): void {
    if (this.#current) return;
    const check = this.#queue.shift();
    if (check === undefined) {
      this.#becomeIdle();
      return;
    }
    clearTimeout(check.timer);
    this.#send(check);
  }

  #send(check: PendingCheck): void {
    this.#count += 1;
    this.#current = { ...check, id: this.#count, startedAt: performance.now() };
    const child = this.#start();
    child.ref();
    child.channel?.ref();
    const { deadlineMs, startMs } = this.#options;
    this.#endAfter(this.#isReady ? deadlineMs : startMs, 'it timed out');
    const { code, declarations } = check;
    child.send({ id: this.#count, code, declarations } satisfies ToChecker, (error) => {
      if (error && child === this.#child) this.#end('the checker process does not respond');
    });
  }

  #start(): ChildProcess {
    if (this.#child) return this.#child;
    const { folder, megabytes } = this.#options;
    const child = spawn(process.execPath, [`${folder}/checker.mjs`, String(megabytes)], {
      env: { ...environment(), GOMEMLIMIT: `${Math.round(megabytes * 0.7)}MiB` },
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
      // Its own process group, so that TypeScript ends with it.
      detached: true,
    });
    // TypeScript inherits it. The server answers people first.
    if (child.pid !== undefined) setPriority(child.pid, 5);
    const isCurrent = () => child === this.#child;
    child.on('message', (message: FromChecker) => isCurrent() && this.#receive(message));
    child.on('error', () => isCurrent() && this.#end('the checker process cannot be started'));
    child.on('exit', (code) => {
      if (isCurrent()) this.#end(code === 3 ? 'it exceeded the memory limit' : 'the checker process ended');
    });
    this.#child = child;
    this.#isReady = false;
    return child;
  }

  #receive(message: FromChecker): void {
    if (message.type === 'ready') {
      // The check itself starts now.
      this.#isReady = true;
      if (this.#current) this.#endAfter(this.#options.deadlineMs, 'it timed out');
      return;
    }
    if (message.id !== this.#current?.id) return;
    if (message.type === 'failed') {
      this.#end('TypeScript has failed');
      return;
    }
    const current = this.#finishCurrent();
    if (message.megabytes > replaceMegabytes) this.#kill();
    current?.resolve({ type: 'checked', problems: message.problems });
    this.#next();
  }

  /** Kills the process and skips its current check. */
  #end(reason: string): void {
    const current = this.#finishCurrent();
    this.#kill();
    current?.resolve(skipped(reason));
    if (this.#queue.size > 0) this.#next();
  }

  /** The check has ended. Its key pays for its time. */
  #finishCurrent(): PendingCheck | undefined {
    const current = this.#current;
    if (current) this.#queue.chargeLater(current.owner, performance.now() - current.startedAt);
    this.#current = undefined;
    return current;
  }

  #kill(): void {
    clearTimeout(this.#timer);
    const child = this.#child;
    this.#child = undefined;
    this.#isReady = false;
    if (child?.pid === undefined) return;
    try {
      process.kill(process.platform === 'win32' ? child.pid : -child.pid, 'SIGKILL');
    } catch {
      // The process has already ended.
    }
  }

  #becomeIdle(): void {
    this.#child?.unref();
    this.#child?.channel?.unref();
    this.#endAfter(this.#options.idleMs, 'it is idle');
    this.#timer?.unref();
  }

  #endAfter(ms: number, reason: string): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#end(reason), ms);
  }
}

function skipped(reason: string): TypeCheck {
  return { type: 'skipped', reason };
}

/** An empty environment, except for variables that Windows needs to start a process. */
function environment(): NodeJS.ProcessEnv {
  if (process.platform !== 'win32') return {};
  const { SystemRoot, TEMP } = process.env;
  return { SystemRoot, TEMP };
}

import { type ChildProcess, spawn } from 'node:child_process';
import { setPriority } from 'node:os';
import type { TypeCheck, TypeChecker, TypeCheckRequest } from '@executor/engine';
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

/** Maximum queue length, in total and per workspace. Checks beyond it are skipped. */
const maxQueued = 30;
const maxQueuedPerWorkspace = 10;
/** Above this memory, the process is replaced between two checks. */
const replaceMegabytes = 450;

class CheckerProcess implements ProcessTypeChecker {
  readonly #options: Required<CheckerProcessOptions>;
  readonly #queue: (PendingCheck & { timer: NodeJS.Timeout })[] = [];
  #child: ChildProcess | undefined;
  #isReady = false;
  #current: (PendingCheck & { id: number }) | undefined;
  #timer: NodeJS.Timeout | undefined;
  #count = 0;
  /** The workspace whose check was sent last. */
  #last: string | undefined;

  constructor(options: CheckerProcessOptions) {
    const usual = { deadlineMs: 4_000, startMs: 10_000, waitMs: 6_000, idleMs: 120_000, megabytes: 1_024 };
    this.#options = { ...usual, ...options };
  }

  check(request: TypeCheckRequest): Promise<TypeCheck> {
    const own = this.#queue.filter(({ workspaceId }) => workspaceId === request.workspaceId);
    if (this.#queue.length >= maxQueued || own.length >= maxQueuedPerWorkspace)
      return Promise.resolve(skipped('too many other checks are queued'));
    return new Promise((resolve) => {
      this.#enqueue({ ...request, resolve });
      this.#next();
    });
  }

  /** A queued check is skipped if the checks before it take too long. */
  #enqueue(check: PendingCheck): void {
    const timer = setTimeout(() => {
      this.#queue.splice(this.#queue.indexOf(waiting), 1);
      check.resolve(skipped('it waited too long for other checks'));
    }, this.#options.waitMs);
    const waiting = { ...check, timer };
    this.#queue.push(waiting);
  }

  close(): void {
    for (const { resolve, timer } of this.#queue.splice(0)) {
      clearTimeout(timer);
      resolve(skipped('the process ends'));
    }
    this.#end('the process ends');
  }

  #next(): void {
    if (this.#current) return;
    const others = this.#queue.findIndex(({ workspaceId }) => workspaceId !== this.#last);
    const [check] = this.#queue.splice(Math.max(0, others), 1);
    if (check === undefined) {
      this.#becomeIdle();
      return;
    }
    clearTimeout(check.timer);
    this.#last = check.workspaceId;
    this.#send(check);
  }

  #send(check: PendingCheck): void {
    this.#count += 1;
    this.#current = { ...check, id: this.#count };
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
    const { resolve } = this.#current;
    this.#current = undefined;
    if (message.megabytes > replaceMegabytes) this.#kill();
    resolve({ type: 'checked', problems: message.problems });
    this.#next();
  }

  /** Kills the process and skips its current check. */
  #end(reason: string): void {
    const { resolve } = this.#current ?? {};
    this.#current = undefined;
    this.#kill();
    resolve?.(skipped(reason));
    if (this.#queue.length > 0) this.#next();
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

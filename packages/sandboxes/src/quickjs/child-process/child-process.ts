import { type ChildProcess as NodeChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import type { Socket } from 'node:net';
import { constants, setPriority } from 'node:os';
import type { ChildCommand } from './confinement.ts';
import { encodeFrame, FrameReader, type OnFrame } from './frame.ts';

export interface ChildEvents {
  onFrame: OnFrame;
  onEnd(cause: ChildEnd): void;
}

/** `killed` means that something else killed the process: the system, when memory is short, or a user. */
type ChildEnd = 'ours' | 'itself' | 'killed';

/** Bubblewrap reports the child's pid within milliseconds, or not at all. */
const reportsPidMs = 5_000;
/** Bubblewrap's exit code when the process inside it was killed. */
const killedCode = 128 + constants.signals.SIGKILL;
/** How long a process may outlive its socket. */
const lingerMs = 200;
/** The server answers people first, and then lets code run. A process in the background runs when nothing else does. */
const ordinary = 7;
const background = constants.priority.PRIORITY_LOW;

/**
 * A child process and the socket to it. Its output is not trusted: the first invalid frame ends the process. `onEnd` is called exactly
 * once.
 */
export class ChildProcess {
  readonly #child: NodeChildProcess;
  readonly #socket: Socket;
  readonly #reader = new FrameReader((head, body) => {
    if (!this.#ended) this.#events.onFrame(head, body);
  });
  readonly #info: Socket;
  #pid: number | undefined;
  #ended = false;
  #dying = false;
  readonly #events: ChildEvents;

  constructor({ command, args, reportsPid }: ChildCommand, events: ChildEvents) {
    this.#events = events;
    this.#child = spawn(command, args, { env: {}, stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'] });
    this.#pid = reportsPid ? undefined : this.#child.pid;
    // Bubblewrap's own child inherits it.
    trySetPriority(this.#child.pid, ordinary);
    this.#socket = this.#child.stdio[3] as Socket;
    this.#info = this.#child.stdio[4] as Socket;
    this.#info.unref();
    this.#info.on('data', (data) => this.#learnPid(String(data)));
    this.#info.on('error', () => {});
    this.#socket.on('data', (chunk: Buffer) => this.#receive(chunk));
    // A killed child resets the connection. Without a listener that error would end the server.
    this.#socket.on('error', () => {});
    this.#socket.on('close', () => setTimeout(() => this.kill(), lingerMs).unref());
    this.#child.on('error', () => this.#end('itself'));
    this.#child.on('exit', (code, signal) =>
      this.#end(signal === 'SIGKILL' || code === killedCode ? 'killed' : 'itself'),
    );
  }

  send(head: string, body?: string | Uint8Array): void {
    if (!this.#ended) this.#socket.write(encodeFrame(head, body));
  }

  /**
   * Uses SIGKILL, because a child in a loop would ignore anything else. A child that has just started is killed when bubblewrap has
   * reported its pid: if bubblewrap ended earlier, its own child would wait for it for ever.
   */
  kill(): void {
    this.#end('ours');
    if (this.#pid !== undefined) this.#killNow();
    else if (!this.#dying) this.#killWhenPidKnown();
  }

  /** CPU time of the main thread in milliseconds. Undefined if the system does not report it. */
  cpuMs(): number | undefined {
    try {
      const [nanoseconds] = readFileSync(`/proc/${this.#pid}/schedstat`, 'utf8').split(' ');
      return Number(nanoseconds) / 1e6;
    } catch {
      return undefined;
    }
  }

  /** Memory that the process shares with no other process. Undefined if the system does not report it. */
  privateBytes(): number | undefined {
    try {
      const kilobytes = /^RssAnon:\s+(\d+) kB/m.exec(readFileSync(`/proc/${this.#pid}/status`, 'utf8'))?.[1];
      return kilobytes === undefined ? undefined : Number(kilobytes) * 1024;
    } catch {
      return undefined;
    }
  }

  /** Lowers the priority of the process, or restores it. Returns whether the system allowed that. */
  setBackground(isBackground: boolean): boolean {
    return trySetPriority(this.#pid, isBackground ? background : ordinary);
  }

  /** Whether the server's event loop is kept alive for this child. */
  setReferenced(referenced: boolean): void {
    const handles = [this.#child, this.#socket];
    for (const handle of handles) referenced ? handle.ref() : handle.unref();
  }

  #receive(chunk: Buffer): void {
    try {
      this.#reader.push(chunk);
    } catch {
      this.kill();
    }
  }

  #killWhenPidKnown(): void {
    this.#dying = true;
    this.#info.ref();
    setTimeout(() => this.#killNow(), reportsPidMs).unref();
  }

  #killNow(): void {
    // The pid may belong to another process by now.
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    this.#child.kill('SIGKILL');
    if (this.#pid !== undefined && this.#pid !== this.#child.pid) tryKill(this.#pid);
  }

  #learnPid(info: string): void {
    const pid = /"child-pid":\s*(\d+)/.exec(info)?.[1];
    if (pid === undefined) return;
    this.#pid = Number(pid);
    trySetPriority(this.#pid, ordinary);
    if (this.#dying) this.#killNow();
  }

  #end(cause: ChildEnd): void {
    if (this.#ended) return;
    this.#ended = true;
    // If a process is left on the other side, it ends when it reads the end of its socket.
    this.#socket.destroy();
    this.#events.onEnd(cause);
  }
}

/** False if the process is not known or has ended, or if the system does not allow it. */
function trySetPriority(pid: number | undefined, priority: number): boolean {
  if (pid === undefined) return false;
  try {
    setPriority(pid, priority);
    return true;
  } catch {
    return false;
  }
}

function tryKill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // The process has already ended.
  }
}

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

/** `killed` is by a stranger's hand: the system's, when memory is short, or a person's. */
type ChildEnd = 'ours' | 'itself' | 'killed';

/** Bubblewrap tells within milliseconds, or not at all. */
const tellsPidMs = 5_000;
/** What bubblewrap ends with when the process in it was killed. */
const killedCode = 128 + constants.signals.SIGKILL;
/** How long a process may stay when its socket is gone. */
const lingerMs = 200;

/**
 * A child process and the socket to it. What it says is not trusted: a byte that is no frame ends it. It ends once, and `onEnd` is told
 * once, with the cause.
 */
export class ChildProcess {
  private readonly child: NodeChildProcess;
  private readonly socket: Socket;
  private readonly reader = new FrameReader((head, body) => {
    if (!this.ended) this.events.onFrame(head, body);
  });
  private readonly info: Socket;
  private pid: number | undefined;
  private ended = false;
  private dying = false;

  constructor(
    { command, args, tellsPid }: ChildCommand,
    private readonly events: ChildEvents,
  ) {
    this.child = spawn(command, args, { env: {}, stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'] });
    this.pid = tellsPid ? undefined : this.child.pid;
    this.socket = this.child.stdio[3] as Socket;
    this.info = this.child.stdio[4] as Socket;
    this.info.unref();
    this.info.on('data', (data) => this.learnPid(String(data)));
    this.info.on('error', () => {});
    this.socket.on('data', (chunk: Buffer) => this.receive(chunk));
    // A killed child resets the connection; without a listener that would end the server.
    this.socket.on('error', () => {});
    this.socket.on('close', () => setTimeout(() => this.kill(), lingerMs).unref());
    this.child.on('error', () => this.end('itself'));
    this.child.on('exit', (code, signal) =>
      this.end(signal === 'SIGKILL' || code === killedCode ? 'killed' : 'itself'),
    );
  }

  send(head: string, body?: string | Uint8Array): void {
    if (!this.ended) this.socket.write(encodeFrame(head, body));
  }

  /**
   * Never asks: a child that is in a loop would not hear. One that has just begun is left until it tells its pid: bubblewrap has then
   * forked, and if it ended before it let its own child go, that one would wait for it for ever.
   */
  kill(): void {
    this.end('ours');
    if (this.pid !== undefined) this.killNow();
    else if (!this.dying) this.killWhenTold();
  }

  /** CPU time of its main thread so far, in milliseconds; undefined where the system does not tell. */
  cpuMs(): number | undefined {
    try {
      const [nanoseconds] = readFileSync(`/proc/${this.pid}/schedstat`, 'utf8').split(' ');
      return Number(nanoseconds) / 1e6;
    } catch {
      return undefined;
    }
  }

  /** Steps behind everything else, or back. Answers whether that was allowed. */
  setBackground(background: boolean): boolean {
    try {
      const { PRIORITY_LOW, PRIORITY_NORMAL } = constants.priority;
      if (this.pid !== undefined) setPriority(this.pid, background ? PRIORITY_LOW : PRIORITY_NORMAL);
      return this.pid !== undefined;
    } catch {
      return false;
    }
  }

  /** Whether the server's event loop is kept alive for this child. */
  setReferenced(referenced: boolean): void {
    const handles = [this.child, this.socket];
    for (const handle of handles) referenced ? handle.ref() : handle.unref();
  }

  private receive(chunk: Buffer): void {
    try {
      this.reader.push(chunk);
    } catch {
      this.kill();
    }
  }

  private killWhenTold(): void {
    this.dying = true;
    this.info.ref();
    setTimeout(() => this.killNow(), tellsPidMs).unref();
  }

  private killNow(): void {
    // Its number may be another's by now.
    if (this.child.exitCode !== null || this.child.signalCode !== null) return;
    this.child.kill('SIGKILL');
    if (this.pid !== undefined && this.pid !== this.child.pid) tryKill(this.pid);
  }

  private learnPid(info: string): void {
    const pid = /"child-pid":\s*(\d+)/.exec(info)?.[1];
    if (pid === undefined) return;
    this.pid = Number(pid);
    if (this.dying) this.killNow();
  }

  private end(cause: ChildEnd): void {
    if (this.ended) return;
    this.ended = true;
    // Should a process be left on the other side, this ends it: it reads the end of its socket.
    this.socket.destroy();
    this.events.onEnd(cause);
  }
}

function tryKill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It is gone already.
  }
}

import { type ChildProcess as NodeChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import type { Socket } from 'node:net';
import { constants, setPriority } from 'node:os';
import type { ChildCommand } from './confinement.ts';
import { encodeFrame, FrameReader, type OnFrame } from './frame.ts';

/**
 * A child process and the socket to it. What it says is not trusted: a byte that is no frame ends it. It ends once, whatever
 * the cause, and `onEnd` is told once.
 */
export class ChildProcess {
  private readonly child: NodeChildProcess;
  private readonly socket: Socket;
  private readonly reader = new FrameReader((head, body) => {
    if (!this.ended) this.events.onFrame(head, body);
  });
  private pid: number | undefined;
  private ended = false;

  constructor(
    { command, args, tellsPid }: ChildCommand,
    private readonly events: { onFrame: OnFrame; onEnd(): void },
  ) {
    this.child = spawn(command, args, { env: {}, stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'] });
    this.pid = tellsPid ? undefined : this.child.pid;
    this.socket = this.child.stdio[3] as Socket;
    const info = this.child.stdio[4] as Socket;
    info.unref();
    info.on('data', (data) => this.learnPid(String(data)));
    info.on('error', () => {});
    this.socket.on('data', (chunk: Buffer) => this.receive(chunk));
    // A killed child resets the connection; without a listener that would end the server.
    this.socket.on('error', () => this.end());
    this.socket.on('close', () => this.end());
    this.child.on('error', () => this.end());
    this.child.on('exit', () => this.end());
  }

  send(head: string, body?: string | Uint8Array): void {
    if (!this.ended) this.socket.write(encodeFrame(head, body));
  }

  /** Never asks: a child that is in a loop would not hear. */
  kill(): void {
    this.child.kill('SIGKILL');
    if (this.pid !== undefined && this.pid !== this.child.pid) tryKill(this.pid);
    this.end();
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

  private learnPid(info: string): void {
    const pid = /"child-pid":\s*(\d+)/.exec(info)?.[1];
    if (pid !== undefined) this.pid = Number(pid);
  }

  private end(): void {
    if (this.ended) return;
    this.ended = true;
    this.events.onEnd();
  }
}

function tryKill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It is gone already.
  }
}

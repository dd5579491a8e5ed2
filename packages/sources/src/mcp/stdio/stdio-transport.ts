import type * as Sdk from '@modelcontextprotocol/client';
import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/client';
import type { StdioProcess } from './stdio-process.ts';

const brace = '{'.charCodeAt(0);
const maxMessageBytes = 32 * 1024 * 1024;
/** How long a program may take to end after its input was closed. */
const graceMs = 2_000;

interface Options {
  start(): StdioProcess;
  parse: typeof Sdk.parseJSONRPCMessage;
  onStderr(chunk: Buffer): void;
  onEnd(exit: { code: number | null; signal: string | null; wasClosed: boolean }): void;
}

/** The transport over standard input and output, one message per line. Other lines are ignored. */
export class StdioTransport implements Transport {
  readonly #options: Options;
  #process: StdioProcess | undefined;
  /** Messages that were read and not yet handed over. */
  readonly #queue: Buffer[] = [];
  #chunks: Buffer[] = [];
  #bytes = 0;
  #isClosing = false;
  #isHandingOver = false;
  #ended: Promise<void> = Promise.resolve();
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  /** The SDK recognises a program by these two. */
  readonly stderr = null;
  pid: number | null = null;

  constructor(options: Options) {
    this.#options = options;
  }

  async start(): Promise<void> {
    const started = this.#options.start();
    const { child } = started;
    this.#process = started;
    this.pid = child.pid ?? null;
    child.stdin?.on('error', (error) => this.onerror?.(error));
    child.stdout?.on('data', (chunk: Buffer) => this.#receive(chunk));
    child.stdout?.on('error', (error) => this.onerror?.(error));
    child.stderr?.on('data', this.#options.onStderr);
    child.stderr?.on('error', () => {});
    let end = () => {};
    this.#ended = new Promise((resolve) => {
      end = resolve;
    });
    // `close` would wait for descendants that keep the streams.
    child.once('exit', (code, signal) => {
      // What the program wrote before its end is still read.
      const finish = () => {
        if (this.#queue.length > 0) return void setImmediate(finish);
        this.#options.onEnd({ code, signal, wasClosed: this.#isClosing });
        end();
        this.onclose?.();
      };
      setImmediate(finish);
    });
    await new Promise<void>((resolve, reject) => {
      child.once('spawn', resolve);
      child.once('error', (error) => {
        end();
        reject(error);
      });
    });
  }

  async send(message: JSONRPCMessage): Promise<void> {
    const stdin = this.#process?.child.stdin;
    if (!stdin?.writable) throw new Error('The program has ended.');
    if (stdin.write(`${JSON.stringify(message)}\n`)) return;
    await new Promise<void>((resolve) => {
      const done = () => {
        stdin.off('drain', done);
        stdin.off('close', done);
        resolve();
      };
      stdin.on('drain', done);
      stdin.on('close', done);
    });
  }

  async close(): Promise<void> {
    const running = this.#process;
    this.#isClosing = true;
    if (!running || running.hasEnded) return;
    running.child.stdin?.end();
    const timer = setTimeout(() => running.kill(), graceMs);
    await this.#ended;
    clearTimeout(timer);
  }

  #receive(chunk: Buffer): void {
    let from = 0;
    for (let end = chunk.indexOf(0x0a); end !== -1; end = chunk.indexOf(0x0a, from)) {
      const line = Buffer.concat([...this.#chunks, chunk.subarray(from, end)]);
      this.#chunks = [];
      this.#bytes = 0;
      from = end + 1;
      // Programs print other things there by mistake.
      if (line.includes(brace)) this.#queue.push(line);
    }
    this.#handOver();
    if (from === chunk.length) return;
    this.#chunks.push(chunk.subarray(from));
    this.#bytes += chunk.length - from;
    if (this.#bytes <= maxMessageBytes) return;
    this.onerror?.(new Error('The program sent a message that is too large.'));
    this.#process?.kill();
  }

  /**
   * One message per turn of the event loop. The SDK handles notifications a little later than answers, and would drop the progress of a
   * call whose answer is handed over with it. It also keeps a flood of messages from stopping everything else.
   */
  #handOver(): void {
    if (this.#isHandingOver) return;
    const line = this.#queue.shift();
    const stdout = this.#process?.child.stdout;
    if (line === undefined) return void stdout?.resume();
    stdout?.pause();
    this.#isHandingOver = true;
    this.#read(line);
    setImmediate(() => {
      this.#isHandingOver = false;
      this.#handOver();
    });
  }

  #read(line: Buffer): void {
    try {
      this.onmessage?.(this.#options.parse(JSON.parse(line.toString('utf8'))));
    } catch (error) {
      this.onerror?.(error instanceof Error ? error : new Error(String(error)));
    }
  }
}

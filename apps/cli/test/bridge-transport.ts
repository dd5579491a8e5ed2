import { EventEmitter, once } from 'node:events';
import { PassThrough, Writable } from 'node:stream';
import {
  type JSONRPCMessage,
  ReadBuffer,
  serializeMessage,
  type Transport,
} from '@modelcontextprotocol/client';
import { Environment } from '../src/environment.ts';
import { runCommandLine } from './built-program.ts';
import { withoutUnset } from './running-command.ts';

/** The transport of an MCP client whose server is `executor mcp` in this process. */
export class BridgeTransport implements Transport {
  onmessage?: Transport['onmessage'];
  onclose?: () => void;
  onerror?: (error: Error) => void;
  readonly #env: NodeJS.ProcessEnv;
  readonly #input = new PassThrough();
  readonly #received = new ReadBuffer();
  #ended: Promise<number> | undefined;

  constructor(env: NodeJS.ProcessEnv) {
    this.#env = withoutUnset(env);
  }

  async start(): Promise<void> {
    const environment = new Environment({
      stdin: this.#input,
      stdout: new Writable({
        write: (chunk: Buffer, _encoding, done) => {
          this.#receive(chunk);
          done();
        },
      }),
      stderr: process.stderr,
      variables: this.#env,
      cwd: process.cwd(),
      signals: new EventEmitter(),
    });
    this.#ended = runCommandLine(['mcp'], environment);
    this.#ended.then(() => this.onclose?.());
  }

  async send(message: JSONRPCMessage): Promise<void> {
    if (!this.#input.write(serializeMessage(message))) await once(this.#input, 'drain');
  }

  async close(): Promise<void> {
    this.#input.end();
    await this.#ended;
  }

  #receive(chunk: Buffer): void {
    this.#received.append(chunk);
    for (;;) {
      try {
        const message = this.#received.readMessage();
        if (message === null) return;
        this.onmessage?.(message);
      } catch (error) {
        this.onerror?.(error as Error);
      }
    }
  }
}

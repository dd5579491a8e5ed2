import { Duplex } from 'node:stream';
import { RequestReader } from './wire.ts';

interface Carrier {
  request(bytes: Uint8Array): void;
  close(): void;
}

/** A database connection for the `pg` driver: a socket whose other end is the worker thread. */
export class PgliteConnection extends Duplex {
  readonly #reader = new RequestReader();
  readonly #carrier: Carrier;

  constructor(carrier: Carrier) {
    super();
    this.#carrier = carrier;
  }

  /** Called by the driver, as on a socket. */
  connect(): this {
    queueMicrotask(() => this.emit('connect'));
    return this;
  }

  answer(bytes: Uint8Array): void {
    this.push(bytes);
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: () => void): void {
    const { requests, ended } = this.#reader.push(chunk);
    for (const request of requests) this.#carrier.request(request);
    if (ended) this.push(null);
    done();
  }

  override _writev(chunks: { chunk: Buffer; encoding: BufferEncoding }[], done: () => void): void {
    this._write(Buffer.concat(chunks.map(({ chunk }) => chunk)), 'binary', done);
  }

  override _read(): void {}

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.#carrier.close();
    done(error);
  }

  setNoDelay(): this {
    return this;
  }

  setKeepAlive(): this {
    return this;
  }

  ref(): this {
    return this;
  }

  unref(): this {
    return this;
  }
}

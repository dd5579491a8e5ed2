import { createHash } from 'node:crypto';
import type { Clock } from '@executor/engine';
import { withoutScope } from './call-scope.ts';
import {
  type ConnectionParts,
  openSession,
  type SessionEvents,
  type SessionRequest,
} from './open-session.ts';
import type { Session } from './session.ts';

interface SessionsOptions extends ConnectionParts {
  clock: Pick<Clock, 'after'>;
  /** How long a connection without calls stays open. */
  idleMs: number;
  onChange(sourceId: string): void;
  onLog(sourceId: string, text: string): void;
}

interface Entry {
  sourceId: string;
  opening: Promise<Session>;
  /** Aborted when nobody waits for the connection any more. */
  end: AbortController;
  waiting: number;
  stopIdling(): void;
}

/** Sources whose credentials differ by user have one connection per credential. The least recently used ones are closed. */
const maxPerSource = 8;

/** One connection for all calls with the same source, settings and credentials. */
export class Sessions {
  readonly #options: SessionsOptions;
  readonly #entries = new Map<string, Entry>();
  #closed = false;

  constructor(options: SessionsOptions) {
    this.#options = options;
  }

  /** `isNew` means that the connection was opened for this request. */
  async acquire(request: SessionRequest): Promise<{ session: Session; isNew: boolean }> {
    request.signal.throwIfAborted();
    if (this.#closed) throw new Error('Executor is stopping.');
    const key = keyOf(request);
    let entry = this.#entries.get(key);
    const isNew = entry === undefined;
    entry ??= this.#open(key, request);
    entry.waiting += 1;
    try {
      const session = await unlessAborted(entry.opening, request.signal);
      entry.stopIdling();
      if (!session.isOver) return { session, isNew };
    } finally {
      entry.waiting -= 1;
      if (entry.waiting === 0 && request.signal.aborted) this.#abandon(key, entry);
    }
    this.#drop(key, entry);
    return this.acquire(request);
  }

  /** Calls in flight finish on the old connections. */
  async release(sourceId: string): Promise<void> {
    const entries = [...this.#entries].filter(([, entry]) => entry.sourceId === sourceId);
    for (const [key, entry] of entries) this.#drop(key, entry);
    await Promise.all(
      entries.map(([, { opening }]) =>
        opening.then(
          async (session) => {
            if (session.isIdle) await session.close();
          },
          () => {},
        ),
      ),
    );
  }

  async close(): Promise<void> {
    this.#closed = true;
    const entries = [...this.#entries];
    for (const [key, entry] of entries) this.#drop(key, entry);
    await Promise.all(
      entries.map(([, { opening }]) =>
        opening.then(
          (session) => session.close(),
          () => {},
        ),
      ),
    );
  }

  #open(key: string, request: SessionRequest): Entry {
    const { sourceId } = request;
    const { clock, idleMs, onChange, onLog } = this.#options;
    const end = new AbortController();
    const entry: Entry = { sourceId, end, waiting: 0, stopIdling: () => {}, opening: Promise.reject() };
    const events: SessionEvents = {
      onChange: () => onChange(sourceId),
      onLog: (text) => onLog(sourceId, text),
      onIdle: () => {
        entry.stopIdling();
        entry.stopIdling = clock.after(idleMs, () => this.#drop(key, entry));
      },
    };
    entry.opening.catch(() => {});
    entry.opening = withoutScope(() =>
      openSession({ ...request, signal: end.signal }, events, this.#options),
    );
    entry.opening.catch(() => this.#entries.get(key) === entry && this.#entries.delete(key));
    this.#entries.set(key, entry);
    this.#closeOldest(sourceId);
    return entry;
  }

  /** Nobody waits for a connection that is still being opened. */
  #abandon(key: string, entry: Entry): void {
    let isOpen = false;
    entry.opening.then(
      () => {
        isOpen = true;
      },
      () => {},
    );
    queueMicrotask(() => !isOpen && entry.waiting === 0 && this.#drop(key, entry));
  }

  #drop(key: string, entry: Entry): void {
    if (this.#entries.get(key) === entry) this.#entries.delete(key);
    entry.stopIdling();
    entry.end.abort();
    entry.opening.then(
      (session) => session.retire(),
      () => {},
    );
  }

  #closeOldest(sourceId: string): void {
    const own = [...this.#entries].filter(([, entry]) => entry.sourceId === sourceId);
    for (const [key, entry] of own.slice(0, -maxPerSource)) this.#drop(key, entry);
  }
}

function keyOf({ sourceId, settings, auth }: SessionRequest): string {
  return createHash('sha256')
    .update(JSON.stringify([sourceId, settings, auth]))
    .digest('hex');
}

function unlessAborted<Value>(value: Promise<Value>, signal: AbortSignal): Promise<Value> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason);
    signal.addEventListener('abort', abort, { once: true });
    value.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}

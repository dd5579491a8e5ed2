import { defineGlobals } from '../host.ts';

type Listener = ((event: SandboxEvent) => void) | { handleEvent(event: SandboxEvent): void };

class SandboxEvent {
  target: unknown = null;
  defaultPrevented = false;

  constructor(readonly type: string) {}

  preventDefault(): void {
    this.defaultPrevented = true;
  }
}

class SandboxEventTarget {
  #listeners: { type: string; listener: Listener; once: boolean }[] = [];

  addEventListener(
    type: string,
    listener: Listener | null,
    options: { once?: boolean } | boolean = {},
  ): void {
    if (!listener || this.#listeners.some((entry) => entry.type === type && entry.listener === listener))
      return;
    this.#listeners.push({ type, listener, once: typeof options === 'object' && options.once === true });
  }

  removeEventListener(type: string, listener: Listener | null): void {
    this.#listeners = this.#listeners.filter((entry) => entry.type !== type || entry.listener !== listener);
  }

  dispatchEvent(event: SandboxEvent): boolean {
    event.target = this;
    for (const { type, listener, once } of [...this.#listeners]) {
      if (type !== event.type) continue;
      if (once) this.removeEventListener(type, listener);
      if (typeof listener === 'function') listener.call(this as never, event);
      else listener.handleEvent(event);
    }
    return !event.defaultPrevented;
  }
}

const make = Symbol('make');

class SandboxAbortSignal extends SandboxEventTarget {
  aborted = false;
  reason: unknown = undefined;
  onabort: ((event: SandboxEvent) => void) | null = null;

  constructor(key?: symbol) {
    super();
    if (key !== make) throw new TypeError('Use new AbortController() to make a signal.');
  }

  static abort(reason?: unknown): SandboxAbortSignal {
    return abort(new SandboxAbortSignal(make), reason);
  }

  static timeout(ms: number): SandboxAbortSignal {
    const signal = new SandboxAbortSignal(make);
    setTimeout(() => abort(signal, new DOMException('The operation timed out.', 'TimeoutError')), ms);
    return signal;
  }

  static any(signals: Iterable<SandboxAbortSignal>): SandboxAbortSignal {
    const any = new SandboxAbortSignal(make);
    for (const signal of signals) {
      if (signal.aborted) return abort(any, signal.reason);
      signal.addEventListener('abort', () => abort(any, signal.reason), { once: true });
    }
    return any;
  }

  throwIfAborted(): void {
    if (this.aborted) throw this.reason;
  }
}

class SandboxAbortController {
  readonly signal = new SandboxAbortSignal(make);

  abort(reason?: unknown): void {
    abort(this.signal, reason);
  }
}

function abort(signal: SandboxAbortSignal, reason: unknown): SandboxAbortSignal {
  if (signal.aborted) return signal;
  signal.aborted = true;
  signal.reason = reason ?? new DOMException('This operation was aborted.', 'AbortError');
  const event = new SandboxEvent('abort');
  signal.onabort?.(event);
  signal.dispatchEvent(event);
  return signal;
}

defineGlobals({
  AbortController: SandboxAbortController,
  AbortSignal: SandboxAbortSignal,
  Event: SandboxEvent,
  EventTarget: SandboxEventTarget,
});

import type { LogLine, Sandbox, SandboxHooks, SandboxOutcome, SandboxRequest } from '../ports/sandbox.ts';

/**
 * How long code may run before there is a row of it. Where many run at once a moment of computing takes much longer than that, and whoever
 * is written first costs the database three times as much: so much patience that a crowd does not slow itself down.
 */
const headStartMs = 25;

/** A hook that was called, to be told to whoever takes the run over. */
type Told = (hooks: SandboxHooks) => void;

/**
 * The first moments of a run, before anything of it is written. Code that ends in them without a call has done nothing that anybody could
 * know of, so it is written once, together with its end. Other code goes on as a run that is written first: what it has called and said
 * so far is told then, in the same order, and nothing of it has left before.
 */
export class HeadStart {
  readonly #outcome: Promise<SandboxOutcome>;
  readonly #stopping = new AbortController();
  readonly #told: Told[] = [];
  readonly #logs: LogLine[] = [];
  #hooks: SandboxHooks | undefined;
  #onCall = () => {};

  constructor(sandbox: Sandbox, request: SandboxRequest) {
    this.#outcome = sandbox.run(
      request,
      {
        onCall: (call, complete) => {
          this.#onCall();
          this.#tell((hooks) => hooks.onCall(call, complete));
        },
        onDeliver: (completion) => this.#tell((hooks) => hooks.onDeliver?.(completion)),
        onAbandon: (index) => this.#tell((hooks) => hooks.onAbandon?.(index)),
        onRest: (usage) => this.#tell((hooks) => hooks.onRest?.(usage)),
        onLog: (line) => {
          if (this.#hooks === undefined) this.#logs.push(line);
          this.#tell((hooks) => hooks.onLog?.(line));
        },
      },
      this.#stopping.signal,
    );
    // Whoever goes on with it hears of it.
    this.#outcome.catch(() => {});
  }

  /** How the code ended, if it did by itself and in time; undefined where it has to go on. */
  async ended(): Promise<{ outcome: SandboxOutcome; logs: LogLine[] } | undefined> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<undefined>((resolve) => {
      this.#onCall = () => resolve(undefined);
      timer = setTimeout(resolve, headStartMs, undefined);
    });
    const outcome = await Promise.race([this.#outcome, late]).catch(() => undefined);
    clearTimeout(timer);
    return outcome && byItself.has(outcome.type) ? { outcome, logs: this.#logs } : undefined;
  }

  /** As `Sandbox.run` would have. */
  goOn(hooks: SandboxHooks, signal: AbortSignal): Promise<SandboxOutcome> {
    if (signal.aborted) this.cancel();
    else signal.addEventListener('abort', () => this.cancel(), { once: true });
    this.#hooks = hooks;
    for (const tell of this.#told.splice(0)) tell(hooks);
    return this.#outcome;
  }

  cancel(): void {
    this.#stopping.abort();
  }

  #tell(tell: Told): void {
    if (this.#hooks) tell(this.#hooks);
    else this.#told.push(tell);
  }
}

/** What the code itself did; the rest is for a run to judge. */
const byItself: ReadonlySet<SandboxOutcome['type']> = new Set(['returned', 'threw']);

import type { LogLine, Sandbox, SandboxHooks, SandboxOutcome, SandboxRequest } from '../../ports/sandbox.ts';

/**
 * How long code may run before its run is written. A run that is written before it ends costs the database three times as much, so the
 * time is long enough that runs that start together do not slow each other down.
 */
const headStartMs = 25;

/** A hook call that is repeated to the run that continues. */
type HookCall = (hooks: SandboxHooks) => void;

/**
 * The first moments of a run, before anything of it is written. Code that ends in this time without a call has no effects, so its run is
 * written once, together with its end. Other code continues as a run that is written first. The calls and log lines so far are then
 * repeated to that run in order; none of them was sent before.
 */
export class HeadStart {
  readonly #outcome: Promise<SandboxOutcome>;
  readonly #stopping = new AbortController();
  readonly #hookCalls: HookCall[] = [];
  readonly #logs: LogLine[] = [];
  #hooks: SandboxHooks | undefined;
  #onCall = () => {};

  constructor(sandbox: Sandbox, request: SandboxRequest) {
    this.#outcome = sandbox.run(
      request,
      {
        onCall: (call, complete) => {
          this.#onCall();
          this.#call((hooks) => hooks.onCall(call, complete));
        },
        onDeliver: (completion) => this.#call((hooks) => hooks.onDeliver?.(completion)),
        onAbandon: (index) => this.#call((hooks) => hooks.onAbandon?.(index)),
        onReturn: () => this.#call((hooks) => hooks.onReturn?.()),
        onRest: (usage) => this.#call((hooks) => hooks.onRest?.(usage)),
        onLog: (line) => {
          if (this.#hooks === undefined) this.#logs.push(line);
          this.#call((hooks) => hooks.onLog?.(line));
        },
      },
      this.#stopping.signal,
    );
    // The run that continues handles the rejection.
    this.#outcome.catch(() => {});
  }

  /** How the code ended, if it ended by itself and in time. Undefined if it has to continue. */
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

  /** Continues with these hooks, like `Sandbox.run`. */
  resume(hooks: SandboxHooks, signal: AbortSignal): Promise<SandboxOutcome> {
    if (signal.aborted) this.cancel();
    else signal.addEventListener('abort', () => this.cancel(), { once: true });
    this.#hooks = hooks;
    for (const hookCall of this.#hookCalls.splice(0)) hookCall(hooks);
    return this.#outcome;
  }

  cancel(): void {
    this.#stopping.abort();
  }

  #call(hookCall: HookCall): void {
    if (this.#hooks) hookCall(this.#hooks);
    else this.#hookCalls.push(hookCall);
  }
}

/** Outcomes that the code itself caused. A run handles the others. */
const byItself: ReadonlySet<SandboxOutcome['type']> = new Set(['returned', 'threw']);

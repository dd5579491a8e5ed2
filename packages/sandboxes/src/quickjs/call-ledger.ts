import type { Completion, RecordedCall, SandboxCall, SandboxHistory, SandboxHooks } from '@executor/engine';
import { differentCall, type Ending, missingCall } from './ending.ts';
import { hashInput } from './hash-input.ts';

/**
 * The calls of one run and what came of them, over all the VMs that it may live in. A call is handed to the engine once; a VM
 * that makes it again while it catches up is only checked against it.
 */
export interface LedgerEvents {
  onAnswer(completion: Completion): void;
  onFailure(message: string): void;
  /** Bytes on their way between code and engine. */
  onBytes(change: number): void;
}

export class CallLedger {
  /** All that was delivered to the code, in order. */
  readonly completions: Completion[];
  private readonly calls: RecordedCall[];
  private readonly inbox: Completion[] = [];
  private readonly answered: Set<number>;
  private readonly dispatched = new Set<number>();
  private readonly abandoned = new Set<number>();
  private closed = false;

  constructor(
    history: SandboxHistory | undefined,
    private readonly hooks: SandboxHooks,
    private readonly events: LedgerEvents,
  ) {
    this.calls = [...(history?.calls ?? [])];
    this.completions = [...(history?.completions ?? [])];
    this.answered = new Set(this.completions.map(({ index }) => index));
  }

  get count(): number {
    return this.calls.length;
  }

  /** Completions that the code has not seen. */
  get waiting(): number {
    return this.inbox.length;
  }

  /** A VM makes a call. Answers why the run cannot go on, if it cannot. */
  make(index: number, path: string, body: Buffer): Ending | undefined {
    const input = body.toString();
    const call: SandboxCall = { index, path, input, inputHash: hashInput(input) };
    const recorded = this.calls[index];
    if (recorded && (recorded.path !== path || recorded.inputHash !== call.inputHash)) {
      return differentCall(call, recorded);
    }
    if (!recorded) this.calls.push({ path, inputHash: call.inputHash });
    if (!this.answered.has(index) && !this.dispatched.has(index)) this.dispatch(call, body.length);
    return undefined;
  }

  abandon(index: number): void {
    if (this.abandoned.has(index) || this.answered.has(index)) return;
    this.abandoned.add(index);
    this.hooks.onAbandon?.(index);
  }

  /** Moves what waits into the past: from here on the code has seen it. */
  accept(): void {
    for (const completion of this.inbox.splice(0)) {
      this.events.onBytes(-resultBytes(completion));
      this.answered.add(completion.index);
      this.completions.push(completion);
      this.hooks.onDeliver?.(completion);
    }
  }

  /** A VM that was sent `delivered` completions and made `made` calls must have made all those that were answered. */
  findUnmade(delivered: number, made: number): Ending | undefined {
    const unmade = this.completions.slice(0, delivered).find(({ index }) => index >= made);
    return unmade && missingCall(unmade.index, this.calls[unmade.index]);
  }

  /** A VM that ended must have made every call that is known. */
  findMissing(made: number): Ending | undefined {
    return made < this.calls.length ? missingCall(made, this.calls[made]) : undefined;
  }

  close(): void {
    this.closed = true;
    for (const completion of this.inbox.splice(0)) this.events.onBytes(-resultBytes(completion));
  }

  private dispatch(call: SandboxCall, bytes: number): void {
    this.dispatched.add(call.index);
    this.events.onBytes(bytes);
    this.hooks.onCall(call).then(
      (completion) => this.answer(completion, bytes),
      (error: unknown) => {
        this.events.onBytes(-bytes);
        this.events.onFailure(`The engine failed to answer call ${call.index}: ${error}`);
      },
    );
  }

  private answer(completion: Completion, bytes: number): void {
    this.events.onBytes(-bytes);
    if (this.closed || this.abandoned.has(completion.index)) return;
    this.inbox.push(completion);
    this.events.onBytes(resultBytes(completion));
    this.events.onAnswer(completion);
  }
}

function resultBytes({ result }: Completion): number {
  return result.type === 'value' ? result.json.length : (result.details?.length ?? 0);
}

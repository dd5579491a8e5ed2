import type {
  Completion,
  RecordedCall,
  SandboxCall,
  SandboxHistory,
  SandboxHooks,
  SandboxLimits,
} from '@executor/engine';
import { differentCall, type Ending, missingCall } from './ending.ts';
import { hashInput } from './hash-input.ts';

/**
 * The calls of one run and what came of them, over all the VMs that it may live in. A call is handed to the engine once; a VM
 * that makes it again while it catches up is only checked against it.
 */
export interface LedgerEvents {
  onAnswer(completion: Completion): void;
  /** Bytes on their way between code and engine. */
  onBytes(change: number): void;
}

type Stage = 'dispatched' | 'abandoned' | 'answered';

export class CallLedger {
  /** All that was delivered to the code, in order. */
  readonly completions: Completion[];
  private readonly calls: RecordedCall[];
  private readonly inbox: Completion[] = [];
  /** How far each call got, by index. A list, because a thousand runs that wait have one each. */
  private readonly stages: (Stage | undefined)[] = [];
  /** Calls that the engine has, with the bytes of their inputs. */
  private readonly inFlight = new Map<number, number>();
  /** Calls that the code waits for, as far as it is known here: a VM that catches up may have more. */
  private open = 0;

  constructor(
    history: SandboxHistory | undefined,
    private readonly hooks: Required<SandboxHooks>,
    private readonly limits: Pick<SandboxLimits, 'calls' | 'outstandingCalls' | 'callBytes'>,
    private readonly events: LedgerEvents,
  ) {
    this.calls = [...(history?.calls ?? [])];
    this.completions = [...(history?.completions ?? [])];
    for (const { index } of this.completions) this.stages[index] = 'answered';
  }

  get count(): number {
    return this.calls.length;
  }

  /** Whether any call is open that the code waits for. */
  get isAwaited(): boolean {
    return this.open > 0;
  }

  /** Completions that the code has not seen. */
  get waiting(): number {
    return this.inbox.length;
  }

  /**
   * A VM makes a call. Answers why the run cannot go on, if it cannot. Throws when no lane in its senses would say this: the
   * limits are its to keep, and what it calls an input is written to the journal, which must be readable.
   */
  make(index: number, path: string, body: Buffer): Ending | undefined {
    const input = body.toString();
    JSON.parse(input);
    if (index >= this.limits.calls || body.length > this.limits.callBytes)
      throw new RangeError(`Call ${index} is beyond the limits of the run.`);
    const call: SandboxCall = { index, path, input, inputHash: hashInput(input) };
    const recorded = this.calls[index];
    if (recorded && (recorded.path !== path || recorded.inputHash !== call.inputHash)) {
      return differentCall(call, recorded);
    }
    if (!recorded) this.calls.push({ path, inputHash: call.inputHash });
    if (this.stages[index] === undefined) this.dispatch(call, body.length);
    return undefined;
  }

  abandon(index: number): void {
    if (this.stages[index] !== 'dispatched') return;
    this.leave(index, 'abandoned');
    this.hooks.onAbandon(index);
  }

  /** Moves what waits into the past: from here on the code has seen it. */
  accept(): void {
    for (const completion of this.inbox.splice(0)) {
      this.events.onBytes(-resultBytes(completion));
      this.leave(completion.index, 'answered');
      this.completions.push(completion);
      this.hooks.onDeliver(completion);
    }
  }

  /** A completion is known of a call that a VM has not made when it should have. */
  unmade(index: number): Ending {
    return missingCall(index, this.calls[index]);
  }

  /** A VM that ended must have made every call that is known. */
  findMissing(made: number): Ending | undefined {
    return made < this.calls.length ? missingCall(made, this.calls[made]) : undefined;
  }

  close(): void {
    for (const completion of this.inbox.splice(0)) this.events.onBytes(-resultBytes(completion));
    for (const bytes of this.inFlight.values()) this.events.onBytes(-bytes);
    this.inFlight.clear();
  }

  private dispatch(call: SandboxCall, bytes: number): void {
    this.stages[call.index] = 'dispatched';
    this.open += 1;
    if (this.open > this.limits.outstandingCalls)
      throw new RangeError(`Call ${call.index} is one more than may be open.`);
    this.events.onBytes(bytes);
    this.inFlight.set(call.index, bytes);
    this.hooks.onCall(call, (completion) => this.answer(completion));
  }

  private leave(index: number, stage: 'abandoned' | 'answered'): void {
    if (this.stages[index] === 'dispatched') this.open -= 1;
    this.stages[index] = stage;
  }

  /** Only the first answer to a call that was made counts. */
  private answer(completion: Completion): void {
    const bytes = this.inFlight.get(completion.index);
    if (bytes === undefined) return;
    this.inFlight.delete(completion.index);
    this.events.onBytes(-bytes);
    this.inbox.push(completion);
    this.events.onBytes(resultBytes(completion));
    this.events.onAnswer(completion);
  }
}

function resultBytes({ result }: Completion): number {
  return result.type === 'value' ? result.json.length : (result.details?.length ?? 0);
}

import type {
  Completion,
  RecordedCall,
  SandboxCall,
  SandboxHistory,
  SandboxHooks,
  SandboxLimits,
} from '@executor/engine';
import { countParts } from '../messages/json-parts.ts';
import { differentCall, type Ending, missingCall } from './ending.ts';
import { hashInput } from './hash-input.ts';

/**
 * The calls of one run and their completions, across all its VMs. A call is sent to the engine once. If a rebuilt VM makes it again, the
 * ledger only checks that it is the same call.
 */
export interface LedgerEvents {
  onAnswer(completion: Completion): void;
  /** The bytes in flight between code and engine changed. */
  onBytes(change: number): void;
}

type CallLimits = Pick<SandboxLimits, 'calls' | 'outstandingCalls' | 'callBytes' | 'callParts'>;

type Stage = 'dispatched' | 'abandoned' | 'answered';

export class CallLedger {
  /** The completions that were delivered to the code, in order. */
  readonly completions: Completion[];
  readonly #calls: RecordedCall[];
  readonly #inbox: Completion[] = [];
  /** The stage of each call, by index. An array, because a thousand waiting runs have one each and a map is larger. */
  readonly #stages: (Stage | undefined)[] = [];
  /** The bytes of the inputs of calls that the engine works on. */
  readonly #inFlight = new Map<number, number>();
  /** Known calls that the code waits for. A VM that is being rebuilt may have more. */
  #open = 0;
  readonly #hooks: Required<SandboxHooks>;
  readonly #limits: CallLimits;
  readonly #events: LedgerEvents;

  constructor(
    history: SandboxHistory | undefined,
    hooks: Required<SandboxHooks>,
    limits: CallLimits,
    events: LedgerEvents,
  ) {
    this.#hooks = hooks;
    this.#limits = limits;
    this.#events = events;
    this.#calls = [...(history?.calls ?? [])];
    this.completions = [...(history?.completions ?? [])];
    for (const { index } of this.completions) this.#stages[index] = 'answered';
  }

  get count(): number {
    return this.#calls.length;
  }

  /** Whether the code waits for any open call. */
  get isAwaited(): boolean {
    return this.#open > 0;
  }

  /** Completions that the code has not seen. */
  get waiting(): number {
    return this.#inbox.length;
  }

  /**
   * Records a call of a VM. Returns an ending if the run cannot continue. Throws if the call breaks a limit or its input is not JSON: lanes
   * check both, so a lane that sends such a call is broken or hostile.
   */
  make(index: number, path: string, body: Buffer): Ending | undefined {
    const { calls, callBytes, callParts } = this.#limits;
    if (index >= calls || body.length > callBytes || countParts(body) > callParts)
      throw new RangeError(`Call ${index} exceeds the limits of the run.`);
    const input = body.toString();
    const call: SandboxCall = { index, path, input, inputHash: hashInput(input) };
    const recorded = this.#calls[index];
    if (recorded && (recorded.path !== path || recorded.inputHash !== call.inputHash)) {
      return differentCall(call, recorded);
    }
    if (!recorded) {
      JSON.parse(input);
      this.#calls.push({ path, inputHash: call.inputHash });
    }
    if (this.#stages[index] === undefined) this.#dispatch(call, body.length);
    return undefined;
  }

  abandon(index: number): void {
    if (this.#stages[index] !== 'dispatched') return;
    this.#leave(index, 'abandoned');
    this.#hooks.onAbandon(index);
  }

  /** Moves waiting completions of this total size into the history: from here on the code has seen them. The first may be larger. */
  accept(maxBytes: number): void {
    for (const completion of this.#inbox.splice(0, lengthWithin(this.#inbox, maxBytes))) {
      this.#events.onBytes(-resultBytes(completion));
      this.#leave(completion.index, 'answered');
      this.completions.push(completion);
      this.#hooks.onDeliver(completion);
    }
  }

  /** The history has a completion of a call that the VM did not make. */
  unmade(index: number): Ending {
    return missingCall(index, this.#calls[index]);
  }

  /** A VM that ended must have made every recorded call. */
  findMissing(made: number): Ending | undefined {
    return made < this.#calls.length ? missingCall(made, this.#calls[made]) : undefined;
  }

  close(): void {
    for (const completion of this.#inbox.splice(0)) this.#events.onBytes(-resultBytes(completion));
    for (const bytes of this.#inFlight.values()) this.#events.onBytes(-bytes);
    this.#inFlight.clear();
  }

  #dispatch(call: SandboxCall, bytes: number): void {
    this.#stages[call.index] = 'dispatched';
    this.#open += 1;
    if (this.#open > this.#limits.outstandingCalls)
      throw new RangeError(`Call ${call.index} exceeds the limit of open calls.`);
    this.#events.onBytes(bytes);
    this.#inFlight.set(call.index, bytes);
    this.#hooks.onCall(call, (completion) => this.#answer(completion));
  }

  #leave(index: number, stage: 'abandoned' | 'answered'): void {
    if (this.#stages[index] === 'dispatched') this.#open -= 1;
    this.#stages[index] = stage;
  }

  /** Ignores further answers to the same call. */
  #answer(completion: Completion): void {
    const bytes = this.#inFlight.get(completion.index);
    if (bytes === undefined) return;
    this.#inFlight.delete(completion.index);
    this.#events.onBytes(-bytes);
    this.#inbox.push(completion);
    this.#events.onBytes(resultBytes(completion));
    this.#events.onAnswer(completion);
  }
}

/** How many of the completions have this size together, at least one. */
export function lengthWithin(completions: readonly Completion[], maxBytes: number): number {
  let bytes = 0;
  const tooMany = completions.findIndex((completion, index) => {
    bytes += resultBytes(completion);
    return index > 0 && bytes > maxBytes;
  });
  return tooMany < 0 ? completions.length : tooMany;
}

function resultBytes({ result }: Completion): number {
  return result.type === 'value' ? result.json.length : (result.details?.length ?? 0);
}

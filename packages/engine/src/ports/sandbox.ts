import type { UnawaitedCall } from '@executor/protocol';

/**
 * Runs code that a model wrote. A sandbox is a deterministic machine: program, seed, epoch and the ordered list of completions decide
 * everything that the code does, so any process can rebuild a run from them at any time.
 *
 * An implementation may assume that:
 * - hooks do not throw;
 * - a call is completed once;
 * - the completions in `history` are those that `onDeliver` saw, in the same order.
 *
 * It must:
 * - report a failure of the code as an outcome instead of throwing it;
 * - run the code outside of the server's process, without environment, files, network or a real clock;
 * - let the code settle between two completions;
 * - if the program drains, fix the result when the code returns, and end the run when no call is open that it still waits for: timers and
 *   calls that were passed to a settled `Promise.race` or `Promise.any` do not count. It abandons such calls. An error after the return
 *   does not change the outcome;
 * - stop a rebuilt run that makes another call than the recorded one.
 */
export interface Sandbox {
  readonly runtimeId: string;
  /** The exact build of the machine, stored with each run. A snapshot of another build is rejected; the run is replayed instead. */
  readonly build: string;
  compile(source: string, signal?: AbortSignal): Promise<Compilation>;
  run(request: SandboxRequest, hooks: SandboxHooks, signal?: AbortSignal): Promise<SandboxOutcome>;
}

export type Compilation =
  | {
      type: 'compiled';
      program: Program;
      /** The compiled text before its types were removed: `head` characters, the submitted code at its original offsets, and an end. */
      typescript?: string;
    }
  | { type: 'rejected'; error: CodeError };

/** The submitted source and the code that runs instead of it. Plain JSON, so that it can be stored with the run. */
export interface Program {
  source: string;
  code: string;
  /** The number of characters that `code` has on its first line before the submitted ones. */
  head: number;
  /**
   * The run ends when its code has returned and the calls that the code did not await have settled. Absent in programs of earlier versions,
   * whose runs end when their code returns: a run is always rebuilt by the rule that it began with.
   */
  drains?: true;
  /** An insertion into a line of `code`. Columns after it are larger by `length`. */
  inserted?: { line: number; column: number; length: number };
  /** The mappings of a source map from `code` to `source`, if their positions differ. */
  map?: string;
  /** The positions in `source` of the only `return` and of the only `await`, if there is exactly one. No stack trace shows them. */
  places?: { result?: CodePosition; wait?: CodePosition };
}

interface CodePosition {
  line: number;
  column: number;
}

export interface SandboxRequest {
  program: Program;
  seed: string;
  /** The code's clock until the first completion, in milliseconds. */
  epoch: number;
  /** Whose run it is. Owners take turns, so that many runs of one owner do not delay another's. */
  owner?: string;
  history?: SandboxHistory;
  limits?: Partial<SandboxLimits>;
}

/** The recorded part of a run that is rebuilt. */
export interface SandboxHistory {
  calls: RecordedCall[];
  completions: Completion[];
  /** The number of log lines that are stored. A rebuilt run reports only later lines. */
  logLines?: number;
  /** The CPU time that earlier processes used. The usage that is reported does not include it. */
  cpuMs?: number;
}

export interface RecordedCall {
  path: string;
  inputHash: string;
}

/** One call of the code. Calls are numbered from 0 in the order in which they are made; `input` is JSON text. */
export interface SandboxCall {
  index: number;
  path: string;
  input: string;
  inputHash: string;
}

/** The path of timers. They are calls with the input `{ "ms": number }`, which the engine completes after that time. */
export const sleepPath = '$sleep';

export interface Completion {
  index: number;
  /** The code's clock from the delivery on, in milliseconds. It never goes back. */
  at: number;
  result: CallResult;
  /** CPU time that the call used elsewhere. It is charged to the run, except if the completion is in the history. */
  cpuMs?: number;
}

export type CallResult =
  /** `hasNext`: the source knows that there is a next page. */
  | { type: 'value'; json: string; hasNext?: true }
  /** The code gets an error that it can catch. `name` may be `ToolDeniedError` or `ToolError`; `details` is JSON text. */
  | { type: 'error'; name: string; message: string; details?: string };

export interface SandboxHooks {
  /**
   * Called once for each call without a completion in the history, whether the call is recorded or not. `complete` may be called at any
   * time. The order of these calls over the whole run is the order of delivery.
   */
  onCall(call: SandboxCall, complete: (completion: Completion) => void): void;
  /** Called just before each delivery, in that order. The completions that this hook saw are the history to resume from. */
  onDeliver?(completion: Completion): void;
  /** The code no longer waits for this call, for example a cleared timer. The call need not be completed. */
  onAbandon?(index: number): void;
  /** The code has returned, and the run goes on for calls that the code did not await. Called once, before `onRest`. */
  onReturn?(): void;
  /** The code can only wait for its calls now. `usage` is its usage so far. */
  onRest?(usage: SandboxUsage): void;
  /** `index` numbers the lines of the run. */
  onLog?(line: LogLine): void;
}

export interface LogLine {
  index: number;
  level: 'debug' | 'info' | 'log' | 'warn' | 'error';
  text: string;
  at: number;
}

export interface SandboxLimits {
  /** Total CPU time of the code, without waiting and replay. */
  cpuMs: number;
  /** CPU time of one rebuild. */
  replayCpuMs: number;
  /** All memory that the code allocates, including buffers. */
  memoryMb: number;
  sourceBytes: number;
  calls: number;
  outstandingCalls: number;
  /** Maximum size of one call's input, and of the inputs of all outstanding calls together. */
  callBytes: number;
  outstandingBytes: number;
  /** Maximum number of objects, lists and keys in one call's input. */
  callParts: number;
  logBytes: number;
  resultBytes: number;
}

export interface SandboxUsage {
  cpuMs: number;
  replayCpuMs: number;
  memoryBytes: number;
  calls: number;
  logBytes: number;
  resultBytes: number;
}

export const noUsage: SandboxUsage = {
  cpuMs: 0,
  replayCpuMs: 0,
  memoryBytes: 0,
  calls: 0,
  logBytes: 0,
  resultBytes: 0,
};

/**
 * How the code ended, with its usage. `allowed` is the limit that ended it. A result of more than 1 MB may be invalid JSON: checking it
 * takes long, so whoever reads it does that.
 */
export type SandboxOutcome = {
  usage: SandboxUsage;
} /** Text of more than 1 MB may be invalid: checking it takes long, so whoever reads it does that. */ & (
  | { type: 'returned'; json: string; unawaited?: UnawaitedCall[] }
  | { type: 'threw'; error: CodeError }
  | { type: 'timedOut'; message: string; allowed: { cpuMs: number } | { replayCpuMs: number } }
  | { type: 'outOfMemory'; message: string; allowed: { memoryBytes: number }; error?: CodeError }
  | { type: 'cancelled' }
  | { type: 'crashed'; message: string }
  | { type: 'nondeterminism'; message: string; index: number; recorded?: RecordedCall; made?: SandboxCall }
);

/** An error of the submitted code, with its position. Lines and columns count from 1. */
export interface CodeError {
  name: string;
  message: string;
  /** `thrown`: the code threw it. `unhandled`: a rejection that nothing awaited. `unsettled`: the code waits forever. */
  reason: 'thrown' | 'unhandled' | 'unsettled' | 'syntax' | 'typecheck' | 'limit';
  line?: number;
  column?: number;
  /** Up to three lines of the code with a marker under the column. */
  excerpt?: string;
  /** Stack frames of the submitted code only. */
  frames?: { function?: string; line: number; column: number }[];
  cause?: { name: string; message: string };
  /** Machine-readable details. */
  details?: Record<string, unknown>;
}

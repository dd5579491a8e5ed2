/**
 * What runs code that a model wrote. A sandbox is a deterministic machine: program, seed, epoch and the ordered list
 * of completions decide everything that the code does, so any run can be rebuilt from them, anywhere, at any time.
 *
 * An implementation may assume that hooks do not throw, that a call is completed once, and that completions in `history`
 * are those that `onDeliver` saw, in that order.
 *
 * It must never throw for what the code did (that is an outcome), never run code in the server's process, never give
 * it the environment, files, network or a clock, never deliver two completions without letting the code settle in
 * between, and never let a rebuilt run make a call that differs from the recorded one.
 */
export interface Sandbox {
  readonly runtimeId: string;
  /** Names the exact machine. Kept with each run; a snapshot of another build is refused, and replay is used. */
  readonly build: string;
  compile(source: string, signal?: AbortSignal): Promise<Compilation>;
  run(request: SandboxRequest, hooks: SandboxHooks, signal?: AbortSignal): Promise<SandboxOutcome>;
}

export type Compilation =
  | {
      type: 'compiled';
      program: Program;
      /** What was compiled, before its types were removed: `head` characters, the submitted ones in their places, and an end. */
      typescript?: string;
    }
  | { type: 'rejected'; error: CodeError };

/** What was submitted, and what runs in its place. Plain JSON, so that it can be kept with the run. */
export interface Program {
  source: string;
  code: string;
  /** How many characters `code` has on its first line before the submitted ones. */
  head: number;
  /** What was put into a line of `code`: behind it, columns are so much larger. */
  inserted?: { line: number; column: number; length: number };
  /** The mappings of a source map from `code` to `source`, where their positions differ. */
  map?: string;
  /** Where in `source` its result is given, and where it waits, if there is one such place: no stack leads there. */
  places?: { result?: CodePosition; wait?: CodePosition };
}

interface CodePosition {
  line: number;
  column: number;
}

export interface SandboxRequest {
  program: Program;
  seed: string;
  /** Milliseconds; where the code's clock stands until the first completion. */
  epoch: number;
  history?: SandboxHistory;
  limits?: Partial<SandboxLimits>;
}

/** What the journal knows of a run that began before. */
export interface SandboxHistory {
  calls: RecordedCall[];
  completions: Completion[];
  /** How many lines of the log are kept; a rebuilt run says those that follow. */
  logLines?: number;
  /** How much of the CPU time was used before; what is used now is told without it. */
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

/** Timers are calls too: the engine answers `{ "ms": number }` when that time has passed. */
export const sleepPath = '$sleep';

export interface Completion {
  index: number;
  /** Milliseconds; the code's clock moves here (never backwards) when this is delivered. */
  at: number;
  result: CallResult;
}

export type CallResult =
  | { type: 'value'; json: string }
  /** Reaches the code as a catchable error. `name` may be `ToolDeniedError` or `ToolError`; `details` is JSON text. */
  | { type: 'error'; name: string; message: string; details?: string };

export interface SandboxHooks {
  /**
   * A call that has no completion in the history, recorded or not; once for each. `complete` may be called at any time;
   * the order in which it is called, over all calls of the run, is the order of delivery.
   */
  onCall(call: SandboxCall, complete: (completion: Completion) => void): void;
  /** Just before the completion reaches the code, in that order; what this saw is the history to resume from. */
  onDeliver?(completion: Completion): void;
  /** The code no longer waits for this call (a timer that was cleared). It need not be completed. */
  onAbandon?(index: number): void;
  /** The code has run until it can only wait for its calls; with what it has used so far. */
  onRest?(usage: SandboxUsage): void;
  /** Lines carry their index in the run. */
  onLog?(line: LogLine): void;
}

export interface LogLine {
  index: number;
  level: 'debug' | 'info' | 'log' | 'warn' | 'error';
  text: string;
  at: number;
}

export interface SandboxLimits {
  /** CPU time of the code in all, without waiting and without replay. */
  cpuMs: number;
  /** CPU time of one rebuild. */
  replayCpuMs: number;
  /** Everything that the code allocates, buffers included. */
  memoryMb: number;
  sourceBytes: number;
  calls: number;
  outstandingCalls: number;
  /** One call's input, and the inputs of all outstanding calls together. */
  callBytes: number;
  outstandingBytes: number;
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

/** How a run ended. All carry what was used; the limits that ended a run carry what was allowed. */
export type SandboxOutcome = { usage: SandboxUsage } & (
  | { type: 'returned'; json: string }
  | { type: 'threw'; error: CodeError }
  | { type: 'timedOut'; message: string; allowed: { cpuMs: number } | { replayCpuMs: number } }
  | { type: 'outOfMemory'; message: string; allowed: { memoryBytes: number }; error?: CodeError }
  | { type: 'cancelled' }
  | { type: 'crashed'; message: string }
  | { type: 'nondeterminism'; message: string; index: number; recorded?: RecordedCall; made?: SandboxCall }
);

/** What went wrong in the submitted code, placed in it. Lines and columns count from 1. */
export interface CodeError {
  name: string;
  message: string;
  /** `thrown` left the code; `unhandled` was a rejection that nothing awaited; `unsettled` waits for ever. */
  reason: 'thrown' | 'unhandled' | 'unsettled' | 'syntax' | 'typecheck' | 'limit';
  line?: number;
  column?: number;
  /** Up to three lines of the code with a marker under the column. */
  excerpt?: string;
  /** Frames of the submitted code only. */
  frames?: { function?: string; line: number; column: number }[];
  cause?: { name: string; message: string };
  /** What a program can read of it. */
  details?: Record<string, unknown>;
}

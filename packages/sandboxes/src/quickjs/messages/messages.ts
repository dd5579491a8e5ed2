import type { LogLine, SandboxLimits } from '@executor/engine';
import type { UnawaitedCall } from '@executor/protocol';

/** Messages from the server to a lane. `run` identifies a VM in the lane. Times are in milliseconds, CPU time in microseconds. */
export type ToLane =
  /** Body: the code. Creates a VM and runs it until it waits. */
  | {
      type: 'start';
      run: number;
      seed: string;
      epoch: number;
      /** How many characters precede the submitted code on the first line, for `error.stack`. */
      head?: number;
      /** Whether the run ends only when calls that its code does not await have settled. */
      drains?: boolean;
      limits: VmLimits;
      slice: Slice;
    }
  /** Body: the JSON texts of the items, one after another. */
  | { type: 'deliver'; run: number; items: DeliveredItem[]; slice: Slice }
  /** Answered by `pages` or `unkept`. The lane then drops the VM. */
  | { type: 'evict'; run: number }
  /** Body: deflated pages. Answered by `restored`. */
  | { type: 'restore'; run: number; vm: VmRegisters; limits: VmLimits; build: string }
  | { type: 'drop'; run: number };

interface Slice {
  /** CPU time after which the slice is interrupted. */
  cpuUs: number;
}

/** The limits that the lane enforces. */
export interface VmLimits
  extends Pick<
    SandboxLimits,
    'calls' | 'outstandingCalls' | 'callBytes' | 'callParts' | 'outstandingBytes' | 'logBytes' | 'resultBytes'
  > {
  memoryPages: number;
}

export interface DeliveredItem {
  index: number;
  at: number;
  /** UTF-16 units of this item's JSON in the body's text. */
  length: number;
  /** Present when the call failed: the JSON is then its details. */
  error?: { name: string; message: string };
}

/** The state of a VM outside its memory. */
export interface VmRegisters {
  stackPointer: number;
  memoryBytes: number;
  clock: number;
  calls: number;
  logs: number;
  logBytes: number;
  omittedLines: number;
  outstanding: [index: number, bytes: number][];
  drains?: boolean;
  /** The result, if the code has returned. */
  returned?: string;
}

export type FromLane =
  | { type: 'ready'; build: string }
  /** Body: the input's JSON. */
  | { type: 'call'; run: number; index: number; path: string }
  | { type: 'abandon'; run: number; index: number }
  /** Body: the text. */
  | { type: 'log'; run: number; index: number; level: LogLine['level']; at: number }
  /** The slice is over. Body: the result's JSON when the state is `returned`. */
  | { type: 'slice'; run: number; cpuUs: number; memoryBytes: number; state: VmState }
  /** Body: the pages, deflated. */
  | { type: 'pages'; run: number; vm: VmRegisters; build: string }
  /** The VM was dropped without keeping its pages, because they would be too many. */
  | { type: 'unkept'; run: number }
  | { type: 'restored'; run: number; ok: boolean };

export type VmState =
  | { type: 'waiting' }
  /** The code has returned, and calls that it did not await are open. */
  | { type: 'draining' }
  | { type: 'returned'; unawaited?: RawUnawaited[] }
  | { type: 'threw'; error: RawError }
  | { type: 'outOfMemory'; error?: RawError }
  | { type: 'timedOut' }
  /** A completion arrived for a call that the code has not made. */
  | { type: 'unmade'; index: number }
  | { type: 'trapped'; message: string };

/** A call or a timer that the code did not await. The position is that in the compiled code. */
export interface RawUnawaited {
  path: string;
  line: number;
  column: number;
  outcome: UnawaitedCall['outcome'];
  message?: string;
}

/** Maximum sizes, enforced in the lane and in the server. */
export const maxPathBytes = 1000;
export const maxErrorBytes = 400_000;

/** An error as the VM sees it. Its stack has the positions of the compiled code. */
export interface RawError {
  name: string;
  message: string;
  stack: string;
  reason: 'thrown' | 'unhandled' | 'unsettled' | 'syntax' | 'limit';
  /** The error is about the result, found after the code had ended. */
  ofResult?: boolean;
  cause?: { name: string; message: string };
}

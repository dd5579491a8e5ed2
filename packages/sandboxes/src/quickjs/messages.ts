import type { LogLine, SandboxLimits } from '@executor/engine';

/** What the server says to a lane. `run` names a VM inside it; times are in milliseconds, CPU in microseconds. */
export type ToLane =
  /** Body: the code. Builds a VM and lets it run until it waits. */
  | {
      type: 'start';
      run: number;
      seed: string;
      epoch: number;
      /** What the first line has before the submitted code, for the stacks that code sees. */
      head?: number;
      limits: VmLimits;
      slice: Slice;
    }
  /** Body: the JSON texts of the items, one after another. */
  | { type: 'deliver'; run: number; items: DeliveredItem[]; slice: Slice }
  /** Answered by `pages` or `unkept`; the VM is gone afterwards. */
  | { type: 'evict'; run: number }
  /** Body: deflated pages. Answered by `restored`. */
  | { type: 'restore'; run: number; vm: VmRegisters; limits: VmLimits; build: string }
  | { type: 'drop'; run: number };

interface Slice {
  /** CPU that the slice may use before it is interrupted. */
  cpuUs: number;
}

/** What the lane itself holds the code to. */
export interface VmLimits
  extends Pick<
    SandboxLimits,
    'calls' | 'outstandingCalls' | 'callBytes' | 'outstandingBytes' | 'logBytes' | 'resultBytes'
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

/** All that a VM has outside its memory. */
export interface VmRegisters {
  stackPointer: number;
  memoryBytes: number;
  clock: number;
  calls: number;
  logs: number;
  logBytes: number;
  omittedLines: number;
  outstanding: [index: number, bytes: number][];
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
  /** Instead of pages that would be too many: the VM is gone. */
  | { type: 'unkept'; run: number }
  | { type: 'restored'; run: number; ok: boolean };

export type VmState =
  | { type: 'waiting' }
  | { type: 'returned' }
  | { type: 'threw'; error: RawError }
  | { type: 'outOfMemory'; error?: RawError }
  | { type: 'timedOut' }
  /** A completion came of a call that the code has not made. */
  | { type: 'unmade'; index: number }
  | { type: 'trapped'; message: string };

/** What a path and the parts of an error may have at most, whoever says it. */
export const maxPathBytes = 1000;
export const maxErrorBytes = 400_000;

/** An error as the VM sees it: the stack still has the positions of the compiled code. */
export interface RawError {
  name: string;
  message: string;
  stack: string;
  reason: 'thrown' | 'unhandled' | 'unsettled' | 'syntax' | 'limit';
  /** It came up when the code was over, about what it gave. */
  ofResult?: boolean;
  cause?: { name: string; message: string };
}

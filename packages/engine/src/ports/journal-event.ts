import type { Diagnostic, PolicyDecision, ResolutionAction, UnawaitedCall } from '@executor/protocol';
import type { CallResult } from './sandbox.ts';
import type { Effect } from './source.ts';

/**
 * One event of a run's journal. A run is rebuilt from these alone. `execution/run/run.ts` explains how.
 *
 * - `call.*` and `timer.set` carry the call's index in the run. The order of `call.completed` is the order of delivery.
 * - Any process appends `interaction.resolved` and `execution.cancelRequested`, without a lease. The worker that holds the run writes all
 *   other events.
 */
export type JournalEvent =
  /** With the diagnostics of the type checker. */
  | { type: 'execution.created'; diagnostics?: Diagnostic[] }
  | { type: 'execution.started'; workerId: string; epoch: number; build: string }
  /** With the CPU time that the run has used so far. */
  | { type: 'execution.waiting'; cpuMs: number }
  | { type: 'execution.resumed' }
  | { type: 'execution.cancelRequested'; actorId: string; reason?: 'keyRevoked' }
  /** The code has returned, and the run goes on for calls that the code did not await. */
  | { type: 'execution.returned' }
  /** `hints`: sentences for the author of the code. */
  | { type: 'execution.completed'; unawaited?: UnawaitedCall[]; hints?: string[] }
  | { type: 'execution.failed'; code: string; message: string }
  | { type: 'execution.cancelled'; reason?: 'keyRevoked' }
  | {
      type: 'call.requested';
      index: number;
      path: string;
      input: string;
      inputHash: string;
      removed?: RemovedPart;
    }
  | { type: 'timer.set'; index: number; inputHash: string; until: number }
  | {
      type: 'call.decided';
      index: number;
      decision: PolicyDecision;
      reason: string;
      policyId?: string;
      effect: Effect;
      repeatable: boolean;
      toolVersion: string;
    }
  | { type: 'call.dispatched'; index: number; attempt: number }
  /** The other system reports about the call while it is made. */
  | { type: 'call.progress'; index: number; done: number; total?: number; message?: string }
  | { type: 'call.log'; index: number; level: 'debug' | 'info' | 'warn' | 'error'; text: string }
  /** The code gave the call up before it was sent. It is never sent. */
  | { type: 'call.withdrawn'; index: number }
  | {
      type: 'call.completed';
      index: number;
      deliveredAt: number;
      result: CallResult;
      /** The time that Executor computed for the call, if any. */
      cpuMs?: number;
      removed?: RemovedPart;
    }
  | {
      type: 'interaction.requested';
      index: number;
      interactionId: string;
      kind: string;
      ordinal: number;
      prompt: string;
      /** The hash that an approval is bound to. */
      binding: string;
      /** Milliseconds. */
      expiresAt?: number;
      /** JSON text. The call has suspended itself, and continues with this state and the answer. */
      state?: string;
    }
  | {
      type: 'interaction.resolved';
      index: number;
      interactionId: string;
      action: ResolutionAction;
      actorId: string;
      scope?: 'once' | 'identical';
      reason?: string;
      data?: unknown;
    }
  | { type: 'interaction.expired'; index: number; interactionId: string }
  | { type: 'interaction.withdrawn'; index: number; interactionId: string; reason: string }
  | {
      type: 'log';
      index: number;
      level: 'debug' | 'info' | 'log' | 'warn' | 'error';
      text: string;
      /** On the code's clock, in milliseconds. */
      loggedAt: number;
    };

/** The large value of this event was deleted to make room, after the run had finished. */
export interface RemovedPart {
  bytes: number;
  hint: string;
}

export type NewEvent = { at: Date } & JournalEvent;

/** With its number in the run, from 1. */
export type StoredEvent = { seq: number; at: Date } & JournalEvent;

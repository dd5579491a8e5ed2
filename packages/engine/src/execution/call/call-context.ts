import type { NewPolicy, Principal } from '@executor/protocol';
import type { Catalog } from '../../catalog/catalog.ts';
import type { ToolDescriptions } from '../../catalog/description/tool-descriptions.ts';
import type { ToolPrinter } from '../../catalog/signature/tool-printer.ts';
import type { Clock } from '../../clock.ts';
import type { Caller, Policies } from '../../policy/policies.ts';
import type { RunWrite } from '../../ports/execution-store.ts';
import type { NewInteractionRow } from '../../ports/interaction-store.ts';
import type { JournalEvent } from '../../ports/journal-event.ts';
import type { Meter } from '../../ports/meter.ts';
import type { SandboxCall } from '../../ports/sandbox.ts';
import type { ArtifactHandle, NewArtifact } from '../../ports/source.ts';
import type { AnswerRoom } from '../../resource/answer-room.ts';
import type { Hold } from '../../resource/held-resource.ts';
import type { InputValidator } from '../../validation/input-validator.ts';
import type { AskedState, CallState, ResolvedEvent, RunState } from '../run/run-state.ts';

/** What a call needs from the run that makes it. */
export interface CallContext {
  readonly executionId: string;
  readonly caller: Caller;
  /** Whoever the run acts for. */
  readonly principal: Principal;
  readonly state: RunState;
  readonly catalog: Pick<Catalog, 'find' | 'seek'>;
  readonly descriptions: Pick<ToolDescriptions, 'nearest'>;
  readonly policies: Pick<Policies, 'complete' | 'decide' | 'ruleToRemember'>;
  readonly validator: Pick<InputValidator, 'check' | 'omitted'>;
  readonly printer: ToolPrinter;
  /** Counts the time that Executor computes for this call. It is charged to the run. */
  readonly meter: Meter;
  /** Resolves when it is the turn of the run's key to use one of Executor's own tools. */
  ownTurn(): Promise<Hold>;
  readonly clock: Clock;
  /** Aborted when the run ends or leaves this process. */
  readonly signal: AbortSignal;
  /** The same for calls that were sent and may have an effect. They go on when the code ends or the key of the run is revoked. */
  readonly sentSignal: AbortSignal;
  /** Appends to the journal, in order. The write follows soon. */
  record(event: JournalEvent, extra?: Pick<RunWrite, 'audit'>): void;
  /** Resolves if a call that must not be repeated may be started here. */
  mayStart(): Promise<void>;
  /** Commits everything so far, and extends the lease beyond the timeout of a call that is sent now. */
  commit(callMs: number): Promise<void>;
  /** Resolves if the database still lets this process hold the run: nobody took it, and its key was not revoked. */
  requireHeld(): Promise<void>;
  /** Retries while the database is unavailable. */
  withRetry<Result>(work: () => Promise<Result>): Promise<Result>;
  /** When a question that is asked now expires, if the workspace sets a time. */
  answerUntil(): Promise<Date | undefined>;
  /** Throws `quotaExceeded` if the owner of the run has no room for the call, or for another question, or for another entry of the audit. */
  requireRoom(): Promise<void>;
  takeQuestion(options?: { anyway: true }): Promise<void>;
  takeAuditRow(): Promise<void>;
  /** Asks a question that was taken. */
  ask(call: SandboxCall, past: CallState, question: NewQuestion): AskedState;
  /** Waits for a reviewer. The run may be released meanwhile unless the call is pinned to this process. */
  answerTo(index: number, asked: AskedState, options?: { pinned: boolean }): Promise<ReviewerAnswer>;
  withdraw(index: number, asked: AskedState, reason: string): void;
  /** The memory for the answer of this call. */
  readonly room: AnswerRoom;
  /** Takes memory for a result that the run keeps. False if none is free. */
  tryKeep(bytes: number): boolean;
  /** The largest answer that the code gets as a value, in bytes. A larger one becomes an artifact. */
  maxAnswerBytes(): number;
  putArtifact(artifact: NewArtifact, id: string): Promise<ArtifactHandle>;
  hasArtifact(id: string): Promise<boolean>;
  /** Reads an artifact once `allow` has resolved for its size. */
  readArtifact(id: string, allow: (bytes: number) => Promise<void>): Promise<NewArtifact | undefined>;
}

/** `toolPath` is the path of the tool now. The code may use a former namespace of its source. */
export type NewQuestion = Pick<
  NewInteractionRow,
  'kind' | 'prompt' | 'toolPath' | 'effect' | 'input' | 'request' | 'binding'
> & { remember?: NewPolicy; expiresAt?: Date; state?: string };

export type ReviewerAnswer = { type: 'answered'; event: ResolvedEvent } | { type: 'expired' };

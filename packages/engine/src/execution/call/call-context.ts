import type { NewPolicy } from '@executor/protocol';
import type { Catalog } from '../../catalog/catalog.ts';
import type { ToolDescriptions } from '../../catalog/description/tool-descriptions.ts';
import type { Clock } from '../../clock.ts';
import type { Caller, Policies } from '../../policy/policies.ts';
import type { NewInteractionRow } from '../../ports/interaction-store.ts';
import type { JournalEvent } from '../../ports/journal-event.ts';
import type { SandboxCall } from '../../ports/sandbox.ts';
import type { ArtifactHandle, NewArtifact } from '../../ports/source.ts';
import type { InputValidator } from '../../validation/input-validator.ts';
import type { AskedState, CallState, ResolvedEvent, RunState } from '../run/run-state.ts';

/** What a call needs from the run that makes it. */
export interface CallContext {
  readonly executionId: string;
  readonly caller: Caller;
  readonly state: RunState;
  readonly catalog: Pick<Catalog, 'find' | 'seek'>;
  readonly descriptions: Pick<ToolDescriptions, 'nearest'>;
  readonly policies: Pick<Policies, 'decide' | 'ruleToRemember'>;
  readonly validator: Pick<InputValidator, 'check'>;
  readonly clock: Clock;
  /** Aborted when the run ends or leaves this process. */
  readonly signal: AbortSignal;
  /** Appends to the journal, in order. The write follows soon. */
  record(event: JournalEvent): void;
  /** Resolves if a call that must not be repeated may be started here. */
  mayStart(): Promise<void>;
  /** Commits everything so far, and extends the lease beyond the timeout of a call that is sent now. */
  commit(callMs: number): Promise<void>;
  /** Retries while the database is unavailable. */
  withRetry<Result>(work: () => Promise<Result>): Promise<Result>;
  /** When a question that is asked now expires, if the workspace sets a time. */
  answerUntil(): Promise<Date | undefined>;
  ask(call: SandboxCall, past: CallState, question: NewQuestion): AskedState;
  /** Waits for a reviewer. The run may be released meanwhile unless the call is pinned to this process. */
  answerTo(index: number, asked: AskedState, options?: { pinned: boolean }): Promise<ReviewerAnswer>;
  withdraw(index: number, asked: AskedState, reason: string): void;
  putArtifact(artifact: NewArtifact, id: string): Promise<ArtifactHandle>;
  hasArtifact(id: string): Promise<boolean>;
  readArtifact(id: string): Promise<NewArtifact | undefined>;
}

/** `toolPath` is the path of the tool now. The code may use a former namespace of its source. */
export type NewQuestion = Pick<
  NewInteractionRow,
  'kind' | 'prompt' | 'toolPath' | 'effect' | 'input' | 'request' | 'binding'
> & { remember?: NewPolicy; expiresAt?: Date };

export type ReviewerAnswer = { type: 'answered'; event: ResolvedEvent } | { type: 'expired' };

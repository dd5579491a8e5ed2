import type { NewPolicy } from '@executor/protocol';
import type { Catalog } from '../catalog/catalog.ts';
import type { ToolDescriptions } from '../catalog/description/tool-descriptions.ts';
import type { Clock } from '../clock.ts';
import type { Caller, Policies } from '../policy/policies.ts';
import type { NewInteractionRow } from '../ports/interaction-store.ts';
import type { JournalEvent } from '../ports/journal-event.ts';
import type { SandboxCall } from '../ports/sandbox.ts';
import type { ArtifactHandle, NewArtifact } from '../ports/source.ts';
import type { InputValidator } from '../validation/input-validator.ts';
import type { AskedState, CallState, ResolvedEvent, RunState } from './run-state.ts';

/** What a call needs of the run that makes it. */
export interface CallContext {
  readonly executionId: string;
  readonly caller: Caller;
  readonly state: RunState;
  readonly catalog: Pick<Catalog, 'find' | 'seek'>;
  readonly descriptions: Pick<ToolDescriptions, 'nearest'>;
  readonly policies: Pick<Policies, 'decide' | 'ruleToRemember'>;
  readonly validator: Pick<InputValidator, 'check'>;
  readonly clock: Clock;
  /** Ends with the run. */
  readonly signal: AbortSignal;
  /** Appends to the journal; in order, soon. */
  record(event: JournalEvent): void;
  /** A call that must not be made twice may be begun here. */
  mayBegin(): Promise<void>;
  /** Everything so far is committed, and the run is held for longer than a call that leaves now can take. */
  commit(callMs: number): Promise<void>;
  /** Tries again for as long as the database is away. */
  patiently<Result>(work: () => Promise<Result>): Promise<Result>;
  /** Until when people have to answer what is asked now, where the workspace sets them a time. */
  answerUntil(): Promise<Date | undefined>;
  ask(call: SandboxCall, past: CallState, question: NewQuestion): AskedState;
  /** Waits for a person; the run may be dropped meanwhile unless the call is pinned to this process. */
  answerTo(index: number, asked: AskedState, options?: { pinned: boolean }): Promise<PersonAnswer>;
  withdraw(index: number, asked: AskedState, reason: string): void;
  putArtifact(artifact: NewArtifact, id: string): Promise<ArtifactHandle>;
  hasArtifact(id: string): Promise<boolean>;
  readArtifact(id: string): Promise<NewArtifact | undefined>;
}

export type NewQuestion = Pick<
  NewInteractionRow,
  'kind' | 'prompt' | 'effect' | 'input' | 'request' | 'binding'
> & { remember?: NewPolicy; expiresAt?: Date };

export type PersonAnswer = { type: 'answered'; event: ResolvedEvent } | { type: 'expired' };

import type { PolicyDecision } from '@executor/protocol';
import type { JournalEvent } from '../../ports/journal-event.ts';
import { type Completion, type RecordedCall, type SandboxHistory, sleepPath } from '../../ports/sandbox.ts';

/** A journal folded into what is needed to continue its run. */
export interface RunState {
  /** By index, without gaps: calls are recorded in the order in which they are made. */
  calls: CallState[];
  completions: Completion[];
  /** Answers that hold for all identical calls of the run, by binding. */
  identical: Map<string, ResolvedEvent>;
  cancelRequested: boolean;
  /** The journal says that the code has returned. */
  returned: boolean;
  logLines: number;
  cpuMs: number;
}

export interface CallState extends RecordedCall {
  index: number;
  /** When a timer is due. */
  until?: number;
  decided?: { decision: PolicyDecision; repeatable: boolean; policyId?: string };
  /** How often it was sent. Counted only for calls that must not be repeated. */
  attempts: number;
  completed: boolean;
  /** The code gave it up before it was sent. */
  withdrawn?: true;
  asked: AskedState[];
  /** The last question with which the call has suspended itself. */
  question?: AskedState;
  /** The call waits for this question, and nothing of it is in flight. */
  suspended?: boolean;
}

/** A question to a reviewer on behalf of a call. */
export interface AskedState {
  id: string;
  kind: string;
  ordinal: number;
  binding: string;
  expiresAt?: number;
  /** JSON text with which a suspended call continues. */
  state?: string;
  answer?: ResolvedEvent;
  /** Why the question is no longer valid. */
  gone?: 'expired' | 'withdrawn' | 'spent';
}

export type ResolvedEvent = JournalEvent & { type: 'interaction.resolved' };

export function emptyState(): RunState {
  return {
    ...{ calls: [], completions: [], identical: new Map() },
    ...{ cancelRequested: false, returned: false, logLines: 0, cpuMs: 0 },
  };
}

/** Folds one more event of the journal into the state. */
export function record(state: RunState, event: JournalEvent): void {
  switch (event.type) {
    case 'call.requested': {
      const { index, path, inputHash } = event;
      state.calls[index] = { index, path, inputHash, attempts: 0, completed: false, asked: [] };
      return;
    }
    case 'timer.set': {
      const { index, inputHash, until } = event;
      state.calls[index] = {
        index,
        path: sleepPath,
        inputHash,
        until,
        attempts: 0,
        completed: false,
        asked: [],
      };
      return;
    }
    case 'call.decided': {
      const { decision, repeatable, policyId } = event;
      callAt(state, event.index).decided = { decision, repeatable, ...(policyId && { policyId }) };
      return;
    }
    case 'call.dispatched': {
      const call = callAt(state, event.index);
      call.attempts = event.attempt;
      call.suspended = false;
      // An answer about an earlier attempt does not hold for this one.
      for (const asked of call.asked) if (asked.kind === 'reconcile') asked.gone ??= 'spent';
      return;
    }
    case 'call.withdrawn':
      callAt(state, event.index).withdrawn = true;
      return;
    case 'call.completed': {
      const { index, deliveredAt: at, result } = event;
      callAt(state, index).completed = true;
      state.completions.push({ index, at, result });
      return;
    }
    case 'interaction.requested': {
      const { index, interactionId: id, kind, ordinal, binding, expiresAt, state: resumeState } = event;
      const call = callAt(state, index);
      const asked: AskedState = {
        id,
        kind,
        ordinal,
        binding,
        ...(expiresAt !== undefined && { expiresAt }),
        ...(resumeState !== undefined && { state: resumeState }),
      };
      call.asked.push(asked);
      if (resumeState !== undefined) {
        call.question = asked;
        call.suspended = true;
      }
      return;
    }
    case 'interaction.resolved': {
      const asked = callAt(state, event.index).asked.find(({ id }) => id === event.interactionId);
      if (asked === undefined) return;
      asked.answer = event;
      // If two answers contradict each other, the stricter one counts.
      if (event.scope === 'identical' && state.identical.get(asked.binding)?.action !== 'deny')
        state.identical.set(asked.binding, event);
      return;
    }
    case 'interaction.expired':
    case 'interaction.withdrawn': {
      const asked = callAt(state, event.index).asked.find(({ id }) => id === event.interactionId);
      if (asked === undefined) return;
      if (event.type === 'interaction.withdrawn') asked.gone = 'withdrawn';
      // An answer that was written earlier was in time.
      else if (!asked.answer) asked.gone = 'expired';
      return;
    }
    case 'execution.cancelRequested':
      state.cancelRequested = true;
      return;
    case 'execution.returned':
      state.returned = true;
      return;
    case 'execution.waiting':
      state.cpuMs = event.cpuMs;
      return;
    case 'log':
      state.logLines = Math.max(state.logLines, event.index + 1);
      return;
    default:
      return;
  }
}

/** The history of the run, for the sandbox. */
export function historyOf({ calls, completions, logLines }: RunState): SandboxHistory {
  return {
    calls: calls.map(({ path, inputHash }) => ({ path, inputHash })),
    completions: [...completions],
    logLines,
  };
}

function callAt(state: RunState, index: number): CallState {
  const call = state.calls[index];
  if (call) return call;
  throw new RangeError(`The journal mentions call ${index} before it was made.`);
}

/** Whether the call itself asked, in the middle of its work. */
export function isQuestion(kind: string): boolean {
  return kind !== 'approval' && kind !== 'reconcile';
}

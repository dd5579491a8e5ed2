import type { Call, Omission } from '@executor/protocol';
import type { RemovedPart, StoredEvent } from '../../ports/journal-event.ts';
import { sleepPath } from '../../ports/sandbox.ts';
import { readRecorded } from './recorded-json.ts';

/** The calls of a run, from its journal. `finished`: the run has ended. */
export function callViews(executionId: string, events: StoredEvent[], finished: boolean): Call[] {
  const calls = new Map<number, Call>();
  for (const event of events) {
    if (event.type === 'log') continue;
    const made = newCall(executionId, event);
    if (made) calls.set(made.index, made);
    const call = 'index' in event ? calls.get(event.index) : undefined;
    if (call) advance(call, event);
  }
  if (!finished) return [...calls.values()];
  return [...calls.values()].map((call) => ({ ...call, status: statusAtEnd(call.status) }));
}

/** Calls that were open when the run ended stay open. */
function statusAtEnd(status: Call['status']): Call['status'] {
  if (status === 'dispatched') return 'uncertain';
  return status === 'requested' || status === 'waiting' ? 'abandoned' : status;
}

function newCall(executionId: string, event: StoredEvent): Call | undefined {
  if (event.type !== 'call.requested' && event.type !== 'timer.set') return undefined;
  const { index, at } = event;
  const common = { id: `${executionId}.${index}`, index, requestedAt: at.toISOString() };
  if (event.type === 'call.requested') {
    const call = {
      ...common,
      path: event.path,
      input: readRecorded(event.input),
      status: 'requested',
    } as const;
    return event.removed ? { ...call, omitted: { input: omission(event.removed) } } : call;
  }
  return {
    ...common,
    path: sleepPath,
    input: { until: new Date(event.until).toISOString() },
    status: 'waiting',
  };
}

function advance(call: Call, event: StoredEvent): void {
  switch (event.type) {
    case 'call.decided': {
      const { decision, reason, policyId } = event;
      call.decision = { decision, reason, ...(policyId && { ruleId: policyId }) };
      return;
    }
    case 'call.dispatched':
      call.status = 'dispatched';
      call.dispatchedAt = event.at.toISOString();
      return;
    case 'call.withdrawn':
      call.status = 'abandoned';
      call.finishedAt = event.at.toISOString();
      return;
    case 'interaction.requested':
      call.status = event.kind === 'reconcile' ? 'uncertain' : 'waiting';
      return;
    case 'interaction.resolved':
      if (call.status === 'waiting') call.status = 'requested';
      return;
    case 'call.completed':
      complete(call, event);
      return;
    default:
      return;
  }
}

function complete(call: Call, { result, at, removed }: StoredEvent & { type: 'call.completed' }): void {
  call.finishedAt = at.toISOString();
  if (removed) call.omitted = { ...call.omitted, result: omission(removed) };
  if (result.type === 'value') {
    call.status = 'succeeded';
    if (!removed) call.result = readRecorded(result.json);
    return;
  }
  const { name, message, details } = result;
  call.status = name === 'ToolDeniedError' ? 'denied' : 'failed';
  call.error = { name, message, ...(details !== undefined && { details: readRecorded(details) }) };
}

/** A value that was deleted to make room. */
function omission({ bytes, hint }: RemovedPart): Omission {
  return { bytes, shownBytes: 0, hint };
}

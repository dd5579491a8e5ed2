import type { ExecutionEvent } from '@executor/protocol';

/** What a run is doing, according to its journal. */
export interface Progress {
  /**
   * The calls in flight by their index, oldest first, and at most one timer. A timer is dropped when a newer call starts: no event reports
   * that a timer was cleared, but a newer call shows that the run did not sleep until the timer fired.
   */
  calls: ReadonlyMap<number, CallProgress>;
}

type CallProgress =
  | { type: 'call'; path: string; state: 'requested' | 'asked' | 'dispatched' }
  | { type: 'timer'; until: number };

export const noProgress: Progress = { calls: new Map() };

export function advance(progress: Progress, { type, data }: ExecutionEvent): Progress {
  const index = Number(data.index);
  if (type === 'execution.completed' || type === 'execution.failed' || type === 'execution.cancelled')
    return noProgress;
  const next = nextOf(type, data, progress.calls.get(index));
  if (next === 'same') return progress;
  const isNew = type === 'call.requested' || type === 'timer.set';
  const calls = new Map([...progress.calls].filter(([, call]) => !isNew || call.type !== 'timer'));
  if (next === 'gone') calls.delete(index);
  else calls.set(index, next);
  return { calls };
}

function nextOf(
  type: string,
  data: ExecutionEvent['data'],
  call: CallProgress | undefined,
): CallProgress | 'same' | 'gone' {
  switch (type) {
    case 'call.requested':
      return { type: 'call', path: String(data.path), state: 'requested' };
    case 'timer.set':
      return { type: 'timer', until: Number(data.until) };
    case 'call.dispatched':
    case 'interaction.resolved':
      return call?.type === 'call' ? { ...call, state: 'dispatched' } : 'same';
    case 'interaction.requested':
      return call?.type === 'call' ? { ...call, state: 'asked' } : 'same';
    case 'call.completed':
      return 'gone';
    default:
      return 'same';
  }
}

/** The text beside the spinner. */
export function progressLine({ calls }: Progress, now = Date.now()): string {
  const all = [...calls.values()].filter((call) => call.type !== 'timer' || call.until > now);
  const current =
    all.findLast((call) => call.type === 'call' && call.state !== 'asked') ??
    all.findLast((call) => call.type === 'timer') ??
    all.at(-1);
  if (current === undefined) return 'running';
  const others = all.length > 1 ? ` (and ${all.length - 1} more)` : '';
  return `${callLine(current, now)}${others}`;
}

function callLine(call: CallProgress, now: number): string {
  if (call.type === 'timer') return `sleeping ${remaining(call.until - now)}`;
  return call.state === 'asked' ? `${call.path} waits for approval` : call.path;
}

function remaining(ms: number): string {
  const seconds = Math.ceil(ms / 1_000);
  if (seconds < 120) return `${seconds} s more`;
  const minutes = Math.ceil(seconds / 60);
  return minutes < 120 ? `${minutes} min more` : `${Math.ceil(minutes / 60)} h more`;
}

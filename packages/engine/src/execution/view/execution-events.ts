import type { ExecutionEvent, WorkspaceEvent } from '@executor/protocol';
import type { FeedRow } from '../../ports/execution-store.ts';
import type { StoredEvent } from '../../ports/journal-event.ts';
import type { Store, StoreChange } from '../../ports/store.ts';
import { readRecorded } from './recorded-json.ts';

const page = 500;
/** Each reader holds one page in memory. */
const maxPageBytes = 1024 * 1024;
/** Notices may be lost, so the journal is read again after this time. */
const lookAgainMs = 5_000;

/** Waits for changes of the store without missing those between two reads. */
export class ChangeSignal {
  #changed = false;
  #wake: (() => void) | undefined;
  readonly #unsubscribe: () => void;

  constructor(store: Pick<Store, 'subscribe'>, concerns: (change: StoreChange) => boolean) {
    this.#unsubscribe = store.subscribe((change) => {
      if (concerns(change)) this.poke();
    });
  }

  poke(): void {
    this.#changed = true;
    this.#wake?.();
  }

  /** Resolves to true on a change since the last call, to false after the time or on abort. */
  async next(withinMs: number, signal?: AbortSignal): Promise<boolean> {
    if (!this.#changed && !signal?.aborted) {
      await new Promise<void>((resolve) => {
        const end = () => {
          clearTimeout(timer);
          signal?.removeEventListener('abort', end);
          resolve();
        };
        const timer = setTimeout(end, withinMs);
        this.#wake = end;
        signal?.addEventListener('abort', end);
      });
    }
    const changed = this.#changed;
    this.#wake = undefined;
    this.#changed = false;
    return changed;
  }

  close(): void {
    this.#unsubscribe();
    this.#wake?.();
  }
}

interface Following {
  store: Pick<Store, 'executions' | 'subscribe'>;
  follow: boolean;
  signal: AbortSignal;
}

/** The events of a run after a number, and with `follow` new ones until the run has finished. */
export async function* eventsOfRun(
  id: string,
  after: number,
  { store, follow, signal }: Following,
): AsyncGenerator<ExecutionEvent> {
  const changes = new ChangeSignal(
    store,
    (change) => change.type === 'execution' && change.executionId === id,
  );
  try {
    for (let seq = after; !signal.aborted; ) {
      const bounds = { limit: page, maxBytes: maxPageBytes };
      const { events, hasMore } = await store.executions.eventPage(id, { afterSeq: seq, ...bounds });
      for (const event of events) yield eventView(id, String(event.seq), event);
      seq = events.at(-1)?.seq ?? seq;
      if (events.some(({ type }) => isEnd(type))) return;
      if (hasMore) continue;
      if (!follow) return;
      await changes.next(lookAgainMs, signal);
    }
  } finally {
    changes.close();
  }
}

export async function* eventsOfWorkspace(
  workspaceId: string,
  after: string,
  { store, follow, signal }: Following,
): AsyncGenerator<WorkspaceEvent> {
  const changes = new ChangeSignal(
    store,
    (change) => change.type !== 'policies' && 'workspaceId' in change && change.workspaceId === workspaceId,
  );
  try {
    let changed = false;
    for (let cursor = after; !signal.aborted; ) {
      const rows = await store.executions.feed(workspaceId, { after: cursor, limit: page });
      for (const row of rows) yield feedView(row);
      cursor = rows.at(-1)?.cursor ?? cursor;
      if (rows.length === page) continue;
      if (!follow) return;
      // The feed shows a change only when no transaction that began before it is open any more.
      changed = await changes.next(changed && rows.length === 0 ? 100 : lookAgainMs, signal);
    }
  } finally {
    changes.close();
  }
}

function isEnd(type: string): boolean {
  return type === 'execution.completed' || type === 'execution.failed' || type === 'execution.cancelled';
}

function feedView({ cursor, executionId, sourceId, event }: FeedRow): WorkspaceEvent {
  if (executionId !== undefined) return eventView(executionId, cursor, event as StoredEvent);
  const { seq: _, at, type, ...data } = event;
  return { id: cursor, ...(sourceId !== undefined && { sourceId }), at: at.toISOString(), type, data };
}

/** An event without the fields that only the engine needs. */
function eventView(
  executionId: string,
  id: string,
  { seq, at, type, ...event }: StoredEvent,
): ExecutionEvent {
  // The state of a suspended call is between Executor and the other system.
  const { state: _, ...data } = event as typeof event & { state?: unknown };
  return { id, seq, executionId, at: at.toISOString(), type, data: shownData({ type, ...data }) };
}

/** The data of a form may be secret. Only the call that asked gets it. */
function shownData({ type, ...entry }: Record<string, unknown>): Record<string, unknown> {
  const { binding: _, inputHash: __, ...shown } = entry;
  if (type === 'interaction.resolved') delete shown.data;
  if (typeof shown.input === 'string') shown.input = readRecorded(shown.input);
  if (isValue(shown.result)) shown.result = { type: 'value', value: readRecorded(shown.result.json) };
  return shown;
}

function isValue(result: unknown): result is { type: 'value'; json: string } {
  return typeof result === 'object' && result !== null && 'json' in result && typeof result.json === 'string';
}

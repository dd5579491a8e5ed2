import type { CallOutcome } from '@executor/protocol';
import { ChangeSignal } from '../execution/view/execution-events.ts';
import type { InteractionRow } from '../ports/interaction-store.ts';
import type { StoredEvent } from '../ports/journal-event.ts';
import type { Store } from '../ports/store.ts';

type Journals = Pick<Store, 'executions' | 'subscribe'>;

const page = 1_000;
/** The events that show what happened to a call. */
const types = [
  'interaction.resolved',
  'interaction.requested',
  'call.decided',
  'call.dispatched',
  'call.withdrawn',
  'call.completed',
  'execution.completed',
  'execution.failed',
  'execution.cancelled',
];

/**
 * The outcomes of approved calls, by the id of the interaction. An approval does not guarantee that the call is sent: a rule that was added
 * meanwhile may deny it, and a changed tool needs a new approval. The journal of the run is the only source. Waits up to `withinMs` for
 * outcomes that are not in the journal yet. Unknown outcomes are missing from the result.
 */
export async function callOutcomes(
  rows: readonly InteractionRow[],
  store: Journals,
  { withinMs }: { withinMs: number },
): Promise<Map<string, CallOutcome>> {
  const sent = rows.filter(letsCallBeSent);
  const runs = new Set(sent.map(({ executionId }) => executionId));
  const deadline = performance.now() + withinMs;
  const found = await Promise.all(
    [...runs].map((id) => {
      const ofRun = sent.filter(({ executionId }) => executionId === id);
      return outcomesOfRun(id, ofRun, store, deadline);
    }),
  );
  return new Map(found.flatMap((outcomes) => [...outcomes]));
}

function letsCallBeSent({ resolution }: InteractionRow): boolean {
  return resolution?.action === 'approve' || resolution?.action === 'retry';
}

async function outcomesOfRun(
  executionId: string,
  rows: InteractionRow[],
  store: Journals,
  deadline: number,
): Promise<Map<string, CallOutcome>> {
  const changes = new ChangeSignal(
    store,
    (change) => change.type === 'execution' && change.executionId === executionId,
  );
  const journal = new OutcomeReader(rows);
  try {
    for (let afterSeq = await readToAnswer(executionId, rows, journal, store); ; ) {
      const events = await store.executions.events(executionId, { afterSeq, limit: page, types });
      for (const event of events) journal.read(event);
      afterSeq = events.at(-1)?.seq ?? afterSeq;
      if (journal.isComplete) return journal.outcomes;
      if (events.length === page) continue;
      const leftMs = deadline - performance.now();
      if (journal.outcomes.size === rows.length || leftMs <= 0) return journal.outcomes;
      await changes.next(leftMs);
    }
  } finally {
    changes.close();
  }
}

/** Reads the decisions before the first answer, without the long events between them. Returns the number of the event before the answer. */
async function readToAnswer(
  executionId: string,
  rows: InteractionRow[],
  journal: OutcomeReader,
  store: Journals,
): Promise<number> {
  const ids = new Set(rows.map(({ id }) => id));
  for (let afterSeq = 0; ; ) {
    const events = await store.executions.events(executionId, {
      afterSeq,
      limit: page,
      types: ['call.decided', 'interaction.resolved'],
    });
    for (const event of events) {
      if (event.type === 'interaction.resolved' && ids.has(event.interactionId)) return event.seq - 1;
      journal.read(event);
    }
    afterSeq = events.at(-1)?.seq ?? afterSeq;
    if (events.length < page) return afterSeq;
  }
}

/** Folds the events of one run into the outcomes of its approved calls. */
class OutcomeReader {
  readonly outcomes = new Map<string, CallOutcome>();
  readonly #rows: readonly InteractionRow[];
  readonly #answered = new Set<string>();
  /** Calls that are sent without a `call.dispatched`, because they may be repeated. */
  readonly #repeatable = new Set<number>();

  constructor(rows: readonly InteractionRow[]) {
    this.#rows = rows;
  }

  /** Whether no later event can change an outcome. */
  get isComplete(): boolean {
    return this.#rows.every(({ id }) => (this.outcomes.get(id)?.status ?? 'sent') !== 'sent');
  }

  read(event: StoredEvent): void {
    if (event.type === 'interaction.resolved') this.#answered.add(event.interactionId);
    if (event.type === 'call.decided') {
      if (event.repeatable) this.#repeatable.add(event.index);
      else this.#repeatable.delete(event.index);
    }
    for (const row of this.#rows) {
      if (!this.#answered.has(row.id)) continue;
      const isRepeatable = this.#repeatable.has(row.callIndex);
      const outcome = after(this.outcomes.get(row.id), event, { ...row, isRepeatable });
      if (outcome) this.outcomes.set(row.id, outcome);
    }
  }
}

function after(
  before: CallOutcome | undefined,
  event: StoredEvent,
  { callIndex, isRepeatable }: Pick<InteractionRow, 'callIndex'> & { isRepeatable: boolean },
): CallOutcome | undefined {
  // A call that was sent may end after its run.
  if (before && before.status !== 'sent' && before.status !== 'uncertain') return before;
  const isOfCall = 'index' in event && event.index === callIndex;
  switch (event.type) {
    case 'execution.completed':
    case 'execution.failed':
    case 'execution.cancelled':
      return before || isRepeatable
        ? { status: 'uncertain', message: 'The run ended before the call had a result.' }
        : { status: 'abandoned', message: 'The run ended before the call was sent.' };
    // An approval for another request was not used. Only a new question shows that Executor asks again: a rule may allow the new request.
    case 'interaction.requested':
      return isOfCall && event.kind === 'approval' && before === undefined
        ? { status: 'askedAgain', message: 'The tool changed. Executor asks again for the new request.' }
        : before;
    case 'call.decided': {
      if (!isOfCall || event.decision !== 'deny') return before;
      return { status: 'denied', message: event.reason, ...(event.policyId && { ruleId: event.policyId }) };
    }
    case 'call.dispatched':
      return isOfCall ? { status: 'sent' } : before;
    case 'call.withdrawn':
      return isOfCall
        ? { status: 'abandoned', message: 'The code gave the call up before it was sent.' }
        : before;
    case 'call.completed': {
      if (!isOfCall) return before;
      const { result } = event;
      if (result.type === 'value') return { status: 'succeeded' };
      return { status: result.name === 'ToolDeniedError' ? 'denied' : 'failed', message: result.message };
    }
    default:
      return before;
  }
}

import { isDeepStrictEqual } from 'node:util';
import { bindingOf } from '../../src/execution/call/prepare-call.ts';
import { emptyState, type RunState, record } from '../../src/execution/run/run-state.ts';
import type { Completion } from '../../src/ports/sandbox.ts';
import type { Invocation } from '../../src/ports/source.ts';
import type { MachineWatch } from './machine-watch.ts';
import type { Commit, ModelTables, RunRow } from './model-tables.ts';
import { kindOf } from './tools.ts';

/** A violated invariant. The text names it. */
export class Violation extends Error {
  override readonly name = 'Violation';
}

/** The maximum duration of a call. */
const callMs = 60_000;

interface Known {
  state: RunState;
  /** The number of journal events that were checked. */
  events: number;
  epoch: number;
  ended: boolean;
  resolved: Set<string>;
  retries: Map<number, number>;
  /** The processes that ended while they executed only this run. */
  blamedFor: Set<string>;
}

/** Checks commits and calls as they happen. Its methods are the invariants of execution/run/run.ts. */
export class Invariants {
  readonly #tables: ModelTables;
  readonly #machines: MachineWatch;
  readonly #known = new Map<string, Known>();
  /** What the other system has received, by call. */
  readonly #received = new Map<string, number[]>();
  first: Violation | undefined;

  constructor(tables: ModelTables, machines: MachineWatch) {
    this.#tables = tables;
    this.#machines = machines;
  }

  fail(text: string): void {
    this.first ??= new Violation(text);
  }

  committed(commit: Commit): void {
    const { run } = commit;
    const known = this.#of(run);
    if (commit.type === 'leased') this.#checkTaken(run, known);
    if (commit.type === 'lost') this.#checkBlame(commit, known);
    if (commit.type === 'written') this.#checkEpoch(commit, known);
    this.#readOn(run, known);
    if (commit.type !== 'written') return;
    for (const index of commit.asked) this.#checkBarrier(commit.lease.owner, run, index, 'an interaction');
    if (commit.finished && run.row.status === 'completed') this.#checkPublished(commit.lease.owner, run);
    if (commit.finished && run.row.error?.code === 'crashed' && known.blamedFor.size < 2)
      this.fail(`${run.row.id} is blamed for the end of ${known.blamedFor.size} processes`);
  }

  /** A call is passed to the source. */
  leaves(owner: string, { tool, input, call }: Invocation): void {
    const run = this.#tables.runs.get(call.executionId);
    if (!run) {
      this.fail(`${call.id} left though its run is not in the store`);
      return;
    }
    if (kindOf(tool.path).decision === 'deny') this.fail(`${call.id} left though ${tool.path} is denied`);
    this.#checkApproved(run, { tool, input, call });
    if (tool.repeatable) return;
    this.#checkLease(owner, run, { tool, call });
    this.#checkBarrier(owner, run, call.index, 'a non-repeatable call');
    const dispatched = run.events.some(
      (event) =>
        event.type === 'call.dispatched' && event.index === call.index && event.attempt === call.attempt,
    );
    if (!dispatched) this.fail(`${call.id} left, and its dispatch ${call.attempt} is not in the journal`);
  }

  /** A call has its answer from a reviewer and continues. */
  goesOn(owner: string, { tool, call }: Invocation): void {
    const run = this.#tables.runs.get(call.executionId);
    if (run && !tool.repeatable) this.#checkLease(owner, run, { tool, call });
  }

  /** A call that must not be repeated has reached the other system. */
  received({ tool, call }: Invocation): void {
    if (tool.repeatable) return;
    const before = this.#received.get(call.id) ?? [];
    const run = this.#tables.runs.get(call.executionId);
    const retries = (run && this.#of(run).retries.get(call.index)) ?? 0;
    if (before.length > retries) {
      this.fail(`${call.id} (${tool.path}) was received ${before.length + 1} times with ${retries} retries`);
    }
    if (before.includes(call.attempt)) this.fail(`${call.id}: attempt ${call.attempt} was received twice`);
    this.#received.set(call.id, [...before, call.attempt]);
  }

  timesReceived(callId: string): number {
    return this.#received.get(callId)?.length ?? 0;
  }

  #checkTaken({ row, leaseEpoch }: RunRow, known: Known): void {
    if (leaseEpoch <= known.epoch) this.fail(`${row.id} was taken with the epoch ${leaseEpoch} again`);
    known.epoch = leaseEpoch;
  }

  /** A process ended while it executed the run. */
  #checkBlame({ run, owner, alone }: Commit & { type: 'lost' }, known: Known): void {
    const { status, id } = run.row;
    const others = [...this.#tables.runs.values()].filter(
      (other) => other !== run && other.leaseOwner === owner && other.row.status === 'running',
    );
    if (status !== 'running') this.fail(`${id} is blamed for the end of ${owner}, and is ${status}`);
    if (alone && others.some(({ row }) => row.finishedAt === null))
      this.fail(`${id} is blamed alone for the end of ${owner}`);
    if (alone) known.blamedFor.add(owner);
  }

  #checkEpoch({ run, lease }: Commit & { type: 'written' }, { epoch, ended }: Known): void {
    if (lease.epoch !== epoch) {
      this.fail(`${run.row.id} was written to with the epoch ${lease.epoch}, and has ${epoch}`);
    }
    if (ended) this.fail(`${run.row.id} was written to after its end`);
  }

  /** The journal has no gaps and belongs to one run. */
  #readOn(run: RunRow, known: Known): void {
    for (; known.events < run.events.length; known.events++) {
      const event = run.events[known.events];
      if (!event || this.first) return;
      if (event.seq !== known.events + 1) this.fail(`${run.row.id} has a gap at ${known.events + 1}`);
      if (known.ended) this.fail(`${run.row.id} has ${event.type} after its end`);
      this.#checkEvent(run.row.id, event, known);
      if (!this.first) record(known.state, event);
      known.ended = /^execution\.(completed|failed|cancelled)$/.test(event.type);
    }
  }

  #checkEvent(id: string, event: RunRow['events'][number], known: Known): void {
    const { calls, logLines } = known.state;
    const call = 'index' in event && event.type !== 'log' ? calls[event.index] : undefined;
    const name = 'index' in event ? `${id}.${event.index}` : id;
    switch (event.type) {
      case 'call.requested':
      case 'timer.set':
        if (event.index !== calls.length) this.fail(`${name} was requested after ${calls.length - 1}`);
        return;
      case 'log':
        if (event.index !== logLines)
          this.fail(`${id} has the log line ${event.index} after ${logLines - 1}`);
        return;
      case 'call.completed':
        if (call?.completed !== false) this.fail(`${name} was completed twice, or before it was made`);
        if (event.result.type === 'error' && event.result.message.startsWith('Nobody approved')) {
          const answered = call?.asked.some(({ answer, gone }) => answer && !gone);
          if (answered) this.fail(`${name} was answered in time, and taken for expired`);
        }
        return;
      case 'call.dispatched':
        if (call?.completed !== false) this.fail(`${name} was dispatched after its end`);
        if (event.attempt !== (call?.attempts ?? 0) + 1)
          this.fail(`${name}: attempt ${event.attempt} came out of turn`);
        if (event.attempt > 1 + (known.retries.get(event.index) ?? 0))
          this.fail(`${name} was dispatched again without a person's word`);
        return;
      case 'interaction.resolved':
        if (known.resolved.has(event.interactionId)) this.fail(`${event.interactionId} was resolved twice`);
        known.resolved.add(event.interactionId);
        if (event.action === 'retry')
          known.retries.set(event.index, (known.retries.get(event.index) ?? 0) + 1);
        return;
      default:
        return;
    }
  }

  /** Everything that the code had seen when it made the call is committed. */
  #checkBarrier(owner: string, run: RunRow, index: number, what: string): void {
    const seen = this.#machines.of(owner, run.row.id);
    if (!seen) return;
    this.#checkCommitted(run, seen.delivered.slice(0, seen.deliveredBefore[index]), what);
  }

  #checkPublished(owner: string, run: RunRow): void {
    const seen = this.#machines.of(owner, run.row.id);
    if (seen) this.#checkCommitted(run, seen.delivered, 'a result');
  }

  #checkCommitted(run: RunRow, delivered: readonly Completion[], what: string): void {
    const { completions } = this.#of(run).state;
    if (isDeepStrictEqual(completions.slice(0, delivered.length), delivered)) return;
    this.fail(`${run.row.id}: ${what} came before what the code had seen was committed`);
  }

  /** The call was approved for exactly this request, and never denied. */
  #checkApproved(run: RunRow, { tool, input, call }: Pick<Invocation, 'tool' | 'input' | 'call'>): void {
    const answers = [...this.#tables.interactions.values()].filter(
      ({ executionId, status }) => executionId === run.row.id && status === 'resolved',
    );
    const own = answers.filter(({ callIndex }) => callIndex === call.index);
    if (own.some(({ resolution }) => resolution?.action === 'deny'))
      this.fail(`${call.id} left after a deny`);
    if (kindOf(tool.path).decision !== 'requireApproval' && call.attempt === 1) return;
    const binding = bindingOf({ tool }, input);
    const approved = answers
      .filter((answer) => answer.binding === binding)
      .some(({ callIndex, resolution }) => {
        const isOwn = callIndex === call.index;
        if (resolution?.action === 'retry') return isOwn;
        return resolution?.action === 'approve' && (isOwn || resolution.scope === 'identical');
      });
    if (!approved) this.fail(`${call.id} (${tool.path}) left without an approval of what it sends`);
  }

  /** A call ends before its lease does. */
  #checkLease(owner: string, run: RunRow, { tool, call }: Pick<Invocation, 'tool' | 'call'>): void {
    const left = run.leaseUntil - this.#tables.now;
    if (run.leaseOwner !== owner || left < callMs)
      this.fail(
        `${call.id} (${tool.path}) of ${owner} goes on; ${run.leaseOwner} has the run, for ${left} ms`,
      );
  }

  #of(run: RunRow): Known {
    const known = this.#known.get(run.row.id) ?? {
      state: emptyState(),
      events: 0,
      epoch: run.leaseEpoch,
      ended: false,
      resolved: new Set<string>(),
      retries: new Map<number, number>(),
      blamedFor: new Set<string>(),
    };
    this.#known.set(run.row.id, known);
    return known;
  }
}

import type { JournalEvent } from '../../ports/journal-event.ts';
import { noUsage, type SandboxCall, type SandboxOutcome } from '../../ports/sandbox.ts';
import type { RunCalls } from '../call/run-calls.ts';
import type { HeldRun } from './held-run.ts';
import type { JournalReader } from './journal-reader.ts';
import type { AskedState } from './run-state.ts';

const message =
  'The process of Executor that executed this run ended twice while only this run was executing. So Executor does not execute it again. Run smaller parts, or with smaller answers, and report this with the log of the server.';

/** A held run whose code is not executed again, because it was alone when processes died. */
export class CondemnedRun {
  readonly #held: HeldRun;
  readonly #calls: Pick<RunCalls, 'reconciliation'>;
  readonly #reader: Pick<JournalReader, 'catchUp'>;
  readonly #requested = new Map<number, SandboxCall>();
  #asked: AskedState[] = [];

  constructor(
    held: HeldRun,
    calls: Pick<RunCalls, 'reconciliation'>,
    reader: Pick<JournalReader, 'catchUp'>,
  ) {
    this.#held = held;
    this.#calls = calls;
    this.#reader = reader;
  }

  get outcome(): SandboxOutcome {
    return { type: 'crashed', message, usage: noUsage };
  }

  /** The questions of unfinished calls show their input, which only the journal has. */
  read(event: JournalEvent): void {
    if (event.type === 'call.requested') this.#requested.set(event.index, event);
    if (event.type === 'call.completed') this.#requested.delete(event.index);
  }

  /** Asks about calls that may have had their effect. False if there are none, or a reviewer has decided about all of them. */
  async asks(): Promise<boolean> {
    for (const call of this.#requested.values()) {
      const { attempts = 0, decided, suspended } = this.#held.state.calls[call.index] ?? {};
      if (suspended || attempts === 0 || decided?.repeatable !== false) continue;
      this.#asked.push(await this.#calls.reconciliation(call));
    }
    return this.#isOpen;
  }

  /** Releases the run until a reviewer has answered, or until the first question expires. */
  async wait(
    giveBack: (status: 'waiting' | 'queued', wakeAt: number | undefined) => Promise<boolean>,
  ): Promise<void> {
    const { gate, journal, state } = this.#held;
    const expiries = this.#asked.flatMap(({ expiresAt }) => expiresAt ?? []);
    const wakeAt = expiries.length > 0 ? Math.min(...expiries) : undefined;
    journal.append({ type: 'execution.waiting', cpuMs: state.cpuMs }, { status: 'waiting' });
    while (gate.isActive) {
      await journal.flushAll();
      if (await giveBack(this.#isOpen ? 'waiting' : 'queued', wakeAt)) return;
      await this.#reader.catchUp();
    }
  }

  get #isOpen(): boolean {
    return this.#asked.some(({ answer, gone }) => answer === undefined && gone === undefined);
  }
}

import { setTimeout as sleep } from 'node:timers/promises';
import { type Execution, type ExecutionEvent, isFinished, type LogLine } from '@executor/protocol';
import { type AnswerStep, OpenQuestion } from '../answer/open-question.ts';
import { followJournal } from './follow-journal.ts';
import type { Interrupt } from './interrupt.ts';
import { advance, noProgress, progressLine } from './progress.ts';
import { noteAfterMs, QuestionNotes } from './question-notes.ts';
import type { Screen } from './screen.ts';
import type { SteadyServer } from './steady-server.ts';

/** How watching a run ended. The run itself continues unless it has finished. */
export type Attended =
  | { type: 'finished'; execution: Execution }
  | { type: 'waiting'; execution: Execution }
  | { type: 'timeUp'; execution: Execution }
  | { type: 'detached' };

export interface AttendOptions {
  server: SteadyServer;
  screen: Screen;
  interrupt: Interrupt;
  /** Asks the user at the terminal. Absent without a terminal. */
  answer: AnswerStep | undefined;
  /** When to stop waiting. Infinity means never. */
  deadline: number;
}

/** Events may be lost, so the run is also polled. */
const lookEveryMs = 5_000;
const longestTimerMs = 2 ** 31 - 1;
/** Collects questions of calls that are made together. */
const settleMs = 150;

/** Watches a run, prints its logs and asks its questions, until it ends or nobody here can answer. */
export async function attend(id: string, options: AttendOptions): Promise<Attended> {
  const { server, screen, interrupt } = options;
  const watch = new AbortController();
  const bell = new Bell();
  const question = new OpenQuestion();
  let progress = noProgress;
  const onEvent = (event: ExecutionEvent) => {
    progress = advance(progress, event);
    if (event.type === 'log') screen.log(event.data as unknown as LogLine);
    question.handle(event);
    if (/^(execution|interaction)\./.test(event.type)) bell.ring();
  };
  const journal = followJournal(server, { id, onEvent, signal: watch.signal });
  journal.catch(() => bell.ring());
  const close = () => question.close('left');
  interrupt.signal.addEventListener('abort', close);
  const leftMs = options.deadline - Date.now();
  // A timer cannot count further.
  const timer = leftMs <= longestTimerMs ? setTimeout(close, leftMs) : undefined;
  screen.spin(() => (question.inBrowser() ? 'waiting for an answer in the browser' : progressLine(progress)));
  try {
    return await attendUntilSettled(id, options, { bell, question, journal });
  } catch (error) {
    if (interrupt.signal.aborted) return { type: 'detached' };
    throw error;
  } finally {
    watch.abort();
    clearTimeout(timer);
    interrupt.signal.removeEventListener('abort', close);
    screen.stop();
  }
}

interface Attention {
  bell: Bell;
  question: OpenQuestion;
  journal: Promise<void>;
}

async function attendUntilSettled(
  id: string,
  { server, screen, interrupt, answer, deadline }: AttendOptions,
  { bell, question, journal }: Attention,
): Promise<Attended> {
  const { signal } = interrupt;
  const notes = new QuestionNotes(screen);
  let settled = false;
  for (;;) {
    if (signal.aborted) return { type: 'detached' };
    bell.reset();
    const execution = await server.request((client) => client.executions.get({ id }, { signal }), signal);
    if (isFinished(execution.status)) {
      // If the journal cannot be followed, the logs stored with the run are printed.
      if (!(await endOf(journal))) for (const line of execution.logs) screen.log(line);
      return { type: 'finished', execution };
    }
    if (Date.now() >= deadline) return { type: 'timeUp', execution };
    const { type, nextLookMs } = nextStep(execution, { question, settled, canAsk: answer !== undefined });
    if (type === 'leave') return { type: 'waiting', execution };
    settled = type === 'settle';
    if (type === 'ask' && answer !== undefined) {
      const outcome = await screen.hold(() => question.ask(answer, execution));
      if (outcome === 'interrupted') interrupt.press();
      if (outcome === 'left') return { type: 'waiting', execution };
    } else {
      const isDueSoon = answer === undefined && notes.print(execution);
      const pauseMs = isDueSoon ? noteAfterMs : nextLookMs;
      await bell.rung(Math.min(Math.max(0, deadline - Date.now()), pauseMs), signal);
    }
  }
}

interface Step {
  type: 'leave' | 'ask' | 'settle' | 'watch';
  nextLookMs: number;
}

/** The next step for a run that has not finished. */
function nextStep(
  { status, interactions }: Execution,
  { question, settled, canAsk }: { question: OpenQuestion; settled: boolean; canAsk: boolean },
): Step {
  const fresh = canAsk && interactions.some(({ id }) => id !== undefined && question.isNew(id));
  if (fresh && (settled || status === 'waiting')) return { type: 'ask', nextLookMs: 0 };
  if (fresh) return { type: 'settle', nextLookMs: settleMs };
  const stuck = status === 'waiting' && interactions.length > 0 && !question.inBrowser();
  return stuck ? { type: 'leave', nextLookMs: 0 } : { type: 'watch', nextLookMs: lookEveryMs };
}

/** Waits for the end of the journal, which has the last log lines. Returns false if it could not be read. */
async function endOf(journal: Promise<void>): Promise<boolean> {
  const end = journal.then(
    () => true,
    () => false,
  );
  return Promise.race([end, sleep(3_000, true, { ref: false })]);
}

/** Reports a change. */
class Bell {
  #ring: () => void = () => undefined;
  #rung = new Promise<void>(() => undefined);

  constructor() {
    this.reset();
  }

  ring(): void {
    this.#ring();
  }

  reset(): void {
    this.#rung = new Promise((resolve) => {
      this.#ring = resolve;
    });
  }

  /** Waits for a change, at most this long. */
  async rung(withinMs: number, signal: AbortSignal): Promise<void> {
    const over = new AbortController();
    const time = sleep(withinMs, undefined, { signal: AbortSignal.any([signal, over.signal]) });
    await Promise.race([this.#rung, time.catch(() => undefined)]);
    over.abort();
  }
}

import type { Agent, AgentSession, AgentTask, Habits } from '../task.ts';
import { placeValues } from './arguments.ts';
import { Conversation, GaveUp } from './conversation.ts';
import { filterRows } from './filters.ts';
import { isProbablyMore, pagerOf } from './paging.ts';
import { neededFields, outputOf, partsOf, type StepState, stateOf } from './plan.ts';
import { type Program, writeProgram } from './program.ts';
import { errorInside, nextPageIn, type Outcome, saysDenied, saysStop, type Ways } from './reading.ts';
import { learnFrom } from './repair.ts';
import { describeTools, searchTools } from './search.ts';
import { fieldFor, listIn, typeOfValue, valueAt } from './types.ts';

/*
 * A stand-in for a model. It uses Executor only through what an MCP client shows: it searches, reads signatures, writes
 * scripts, and repairs them by what error messages say. It knows English and TypeScript, but no service, tool or task.
 * Equal texts always lead to equal scripts.
 *
 * It is frozen: a later change would make figures incomparable with older ones. So it reads answers loosely
 * (`reading.ts`), and a better text of Executor can only help it.
 */
export const scriptedAgent: Agent = async (task, session, habits) => {
  try {
    return await new ScriptedAgent(task, session, habits).solve();
  } catch (error) {
    if (error instanceof GaveUp) return undefined;
    throw error;
  }
};

class ScriptedAgent {
  readonly #task: AgentTask;
  readonly #habits: Habits;
  readonly #conversation: Conversation;
  readonly #states: Map<string, StepState>;
  #ways: Ways = {};
  #denials = 0;
  #isDenied = false;

  constructor(task: AgentTask, session: AgentSession, habits: Habits) {
    this.#task = task;
    this.#habits = habits;
    this.#conversation = new Conversation(session);
    this.#states = new Map(task.steps.map((step) => [step.as, stateOf(step)]));
  }

  async solve(): Promise<unknown> {
    this.#ways = await searchTools(this.#task, this.#states, this.#conversation);
    for (;;) {
      while ([...this.#states.values()].some(({ result }) => result === undefined)) {
        await this.#nextScript();
        if (this.#isDenied) return 'denied';
      }
      const answer = this.#answer();
      if (isSound(answer)) return answer;
      // The code read a field that the answer does not have. A look at the answer shows the right one.
      const state = this.#states.get(partsOf(String(Object.values(this.#task.answer)[0])).step);
      if (!state || state.wantsLook) throw new GaveUp('The answer makes no sense.');
      state.wantsLook = true;
      delete state.result;
    }
  }

  async #nextScript(): Promise<void> {
    const program = writeProgram(this.#task, this.#states, this.#habits);
    if (program.outputs.size === 0) throw new GaveUp('No step can be done.');
    const outcome = await this.#conversation.run(program.code);
    if (outcome.type === 'failed') this.#failed(outcome, program);
    else if (outcome.type === 'value') await this.#succeeded(outcome, program);
  }

  #failed({ message, line, text }: Outcome & { type: 'failed' }, program: Program): void {
    for (const [, name = '', value = 'null'] of text.matchAll(
      /finished\W+(\w+)\W+?((?:\{|\[|null|").*?)(?=\\n|\n|$)/g,
    ))
      this.#finished(name, value);
    if (saysDenied(message)) {
      this.#denials += 1;
      this.#isDenied = saysStop(text) || this.#denials > 1;
      return;
    }
    const state = this.#failedStep(message, line, program);
    if (!state || !learnFrom(message, state)) throw new GaveUp(message);
  }

  #finished(name: string, value: string): void {
    const state = this.#states.get(name);
    if (!state) return;
    try {
      state.result = { type: 'item', value: JSON.parse(value) };
    } catch {
      state.result = { type: 'item', value: null };
    }
  }

  #failedStep(message: string, line: number | undefined, { lines, outputs }: Program): StepState | undefined {
    const atLine = line === undefined ? undefined : this.#states.get(lines[line - 1] ?? '');
    if (atLine && !atLine.result) return atLine;
    const open = [...outputs.keys()]
      .flatMap((name) => this.#states.get(name) ?? [])
      .filter(({ result }) => !result);
    return open.find(({ tool }) => tool && message.includes(tool.path)) ?? open[0];
  }

  async #succeeded(outcome: Outcome & { type: 'value' }, program: Program): Promise<void> {
    const { value, text } = outcome;
    const missing = (value as { missing?: unknown } | null)?.missing;
    if (typeof missing === 'string') return this.#missed(missing, text);
    for (const [name, kind] of program.outputs) {
      const state = this.#states.get(name);
      if (!state) continue;
      const isAlone = program.outputs.size === 1 && kind === 'look';
      const own = isAlone ? value : (value as Record<string, unknown> | null)?.[name];
      if (!(await this.#take(state, kind, own, outcome))) return;
    }
  }

  /** Keeps the result of a step. Returns false if the step has to be repeated. */
  async #take(
    state: StepState,
    kind: 'item' | 'items' | 'answer' | 'look',
    value: unknown,
    outcome: Outcome & { type: 'value' },
  ): Promise<boolean> {
    const error = errorInside(value);
    if (error !== undefined) {
      if (!learnFrom(error, state)) throw new GaveUp(error);
      return false;
    }
    if (kind === 'look') return this.#look(state, value, outcome);
    if (kind === 'items') state.result = { type: 'items', value: Array.isArray(value) ? value : [] };
    else state.result = { type: kind, value };
    return true;
  }

  /** The code found nothing that fits. */
  #missed(name: string, text: string): void {
    const state = this.#states.get(name);
    if (!state) throw new GaveUp(text);
    if (!state.wantsLook && state.tool?.seen === undefined) state.wantsLook = true;
    else if (!learnFrom(`${name} is missing in the answer`, state)) throw new GaveUp(text);
  }

  /** Learns the form of an answer. If the answer is whole, the agent reads the result in it. */
  async #look(
    state: StepState,
    value: unknown,
    { isCut, text }: Outcome & { type: 'value' },
  ): Promise<boolean> {
    const { tool, step } = state;
    if (!tool) return false;
    tool.seen = typeOfValue(value);
    state.wantsLook = false;
    const place = listIn(tool.seen, step.as);
    if (!place) {
      const needed = neededFields(this.#task, step.as);
      const isObject = typeof value === 'object' && value !== null;
      const isItem = isObject && needed.every((field) => fieldOf(value, field) !== undefined);
      if (step.take === 'all' || !isItem) return this.#rejected(state, text);
      state.result = { type: 'item', value };
      return true;
    }
    const rows = valueAt(value, place.path) as unknown[];
    const nextPage = nextPageIn(text);
    const isPart = step.take !== 'first' && (isCut || isProbablyMore(value, rows.length, text));
    if (isPart) {
      if (nextPage) state.nextPage = nextPage;
      else if (!pagerOf(tool.types.input, tool.seen) && !tool.isDescribed) {
        const seen = tool.seen;
        await describeTools([state], this.#ways, this.#conversation);
        if (state.tool) state.tool.seen = seen;
      }
      if (isCut || state.nextPage || pagerOf(state.tool?.types.input ?? tool.types.input, tool.seen))
        return false;
    }
    return this.#read(state, rows, text);
  }

  /** Picks the wanted items of rows that the agent sees. */
  #read(state: StepState, rows: unknown[], text: string): boolean {
    const { step, tool } = state;
    if (!tool) return false;
    const place = listIn(outputOf(tool), step.as);
    const items = place?.items ?? typeOfValue(rows[0]);
    const values = new Map(
      Object.entries(step.values ?? {}).map(([name, value]) => [
        name,
        {
          code: JSON.stringify(value),
          isReference: String(value).startsWith('@'),
          ...(!String(value).startsWith('@') && { value }),
        },
      ]),
    );
    const placement = placeValues(values, tool.types.input, { isAction: false, fixes: state.fixes });
    const wanted = filterRows(rows, state, { placement, items, values });
    if (step.take === 'all') {
      state.result = { type: 'items', value: wanted };
      return true;
    }
    const ordered = typeof step.take === 'object' ? sorted(wanted, step.take) : wanted;
    if (ordered[0] === undefined) return this.#rejected(state, text);
    state.result = { type: 'item', value: ordered[0] };
    return true;
  }

  #rejected(state: StepState, text: string): false {
    if (!learnFrom('The answer does not have it.', state)) throw new GaveUp(text);
    return false;
  }

  #answer(): unknown {
    const [[form, of] = ['', '']] = Object.entries(this.#task.answer);
    const { step, field } = partsOf(of);
    const result = this.#states.get(step)?.result;
    if (form === 'done') return 'done';
    if (result === undefined || result.type === 'answer') return result?.value;
    if (result.type === 'item') return fieldOf(result.value, field);
    const values = result.value.map((item) => fieldOf(item, field));
    if (form === 'count') return result.value.length;
    return form === 'sum' ? values.reduce<number>((sum, value) => sum + Number(value), 0) : values;
  }
}

function fieldOf(item: unknown, field: string): unknown {
  const own = (item as Record<string, unknown> | null)?.[field];
  return own ?? valueAt(item, fieldFor(field, typeOfValue(item))?.path ?? [field]);
}

function sorted(rows: unknown[], take: { most: string } | { least: string }): unknown[] {
  const [[direction, by] = ['most', '']] = Object.entries(take);
  const sign = direction === 'most' ? -1 : 1;
  return rows.toSorted((one, other) => sign * (Number(fieldOf(one, by)) - Number(fieldOf(other, by))));
}

/** An answer without gaps: no missing values, no sums of things that are not numbers. */
function isSound(answer: unknown): boolean {
  if (Array.isArray(answer)) return answer.every(isSound);
  return answer !== undefined && answer !== null && !Number.isNaN(answer);
}

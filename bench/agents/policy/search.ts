import type { AgentTask } from '../task.ts';
import { choose, needsDescription } from './choose.ts';
import type { Conversation } from './conversation.ts';
import { GaveUp } from './conversation.ts';
import { knownTool, type StepState } from './plan.ts';
import { candidatesIn, type Ways, waysIn } from './reading.ts';

/** What models try if nothing shows them how to search. */
const guesses = ['search', 'list', 'find'];
/** More searches in one script give answers that are cut. */
const searchesAtOnce = 3;

/** Finds the tools of all steps: one search for each thing to do. */
export async function searchTools(
  task: AgentTask,
  states: Map<string, StepState>,
  conversation: Conversation,
): Promise<Ways> {
  let ways = waysIn(conversation.shown);
  const queries = [...new Set(task.steps.map((step) => step.do))];
  for (const guess of guesses) {
    if (ways.search !== undefined) break;
    const [query = ''] = queries;
    const outcome = await conversation.run(
      `return await tools.${guess}({ query: ${JSON.stringify(query)} });`,
    );
    ways = { ...waysIn(outcome.text) };
    if (outcome.type === 'value' && candidatesIn(outcome.value).length > 0) ways.search ??= guess;
  }
  if (ways.search === undefined) throw new GaveUp('No text shows how to search.');
  for (let first = 0; first < queries.length; first += searchesAtOnce)
    await searchFor(queries.slice(first, first + searchesAtOnce), {
      states,
      conversation,
      search: ways.search,
    });
  for (const state of states.values())
    if (state.candidates.length === 0)
      await searchAgain(state, { states, conversation, search: ways.search });
  for (const state of states.values()) choose(task, state);
  await describeTools([...states.values()].filter(needsDescription), ways, conversation);
  return ways;
}

interface Searching {
  states: Map<string, StepState>;
  conversation: Conversation;
  search: string;
}

async function searchFor(queries: string[], { states, conversation, search }: Searching): Promise<void> {
  const [query] = queries;
  const code =
    queries.length === 1
      ? `return await tools.${search}({ query: ${JSON.stringify(query)} });`
      : `const queries = ${JSON.stringify(queries)};\nreturn await Promise.all(queries.map((query) => tools.${search}({ query })));`;
  const outcome = await conversation.run(code);
  if (outcome.type !== 'value') return;
  const answers = queries.length === 1 ? [outcome.value] : outcome.value;
  for (const [index, wanted] of queries.entries()) {
    const found = candidatesIn(Array.isArray(answers) ? answers[index] : undefined);
    for (const state of states.values()) if (state.step.do === wanted) state.candidates = found;
  }
}

/** Says the same with the names of the values. */
async function searchAgain(state: StepState, searching: Searching): Promise<void> {
  const query = `${state.step.do} ${Object.keys(state.step.values ?? {}).join(' ')}`.trim();
  const outcome = await searching.conversation.run(
    `return await tools.${searching.search}({ query: ${JSON.stringify(query)} });`,
  );
  if (outcome.type === 'value') state.candidates = candidatesIn(outcome.value);
}

/** Reads tools whose signatures in the search left something out. */
export async function describeTools(
  states: StepState[],
  { describe }: Ways,
  conversation: Conversation,
): Promise<void> {
  const paths = [...new Set(states.flatMap(({ tool }) => (tool ? [tool.path] : [])))];
  if (paths.length === 0 || describe === undefined) return;
  const calls = paths.map((path) => `await tools.${describe}({ path: ${JSON.stringify(path)} })`);
  const outcome = await conversation.run(
    calls.length === 1 ? `return ${calls[0]};` : `return [${calls.join(', ')}];`,
  );
  if (outcome.type !== 'value') return;
  const described = candidatesIn(outcome.value);
  for (const state of states) {
    const found = described.find(({ path }) => path === state.tool?.path);
    if (!state.tool) continue;
    const { needsApproval } = state.tool;
    state.tool = { ...knownTool({ ...state.tool, ...found, needsApproval }), isDescribed: true };
  }
}

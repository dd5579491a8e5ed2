import type { AgentTask } from '../task.ts';
import { choose, fits, needsDescription } from './choose.ts';
import type { Conversation } from './conversation.ts';
import { GaveUp } from './conversation.ts';
import { knownTool, type StepState } from './plan.ts';
import { type Candidate, candidatesIn, type Ways, waysIn } from './reading.ts';
import { textFit } from './words.ts';

/** What models try if nothing shows them how to search. */
const guesses = (query: string) => [
  `return await tools.search({ query: ${JSON.stringify(query)} });`,
  'return Object.keys(tools);',
  `return await tools.list({ query: ${JSON.stringify(query)} });`,
];
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
  for (const guess of guesses(queries[0] ?? '')) {
    if (ways.search !== undefined) break;
    const outcome = await conversation.run(guess);
    ways = waysIn(outcome.type === 'failed' ? outcome.message : outcome.text);
  }
  if (ways.search === undefined) throw new GaveUp('No text shows how to search.');
  for (let first = 0; first < queries.length; first += searchesAtOnce)
    await searchFor(queries.slice(first, first + searchesAtOnce), {
      states,
      conversation,
      search: ways.search,
    });
  for (const state of states.values()) choose(task, state);
  await searchAgain(task, { states, conversation, search: ways.search });
  await describeTools([...states.values()].filter(needsDescription), ways, conversation);
  return ways;
}

interface Searching {
  states: Map<string, StepState>;
  conversation: Conversation;
  search: string;
}

async function searchFor(queries: string[], searching: Searching): Promise<void> {
  const found = await candidatesFor(queries, searching);
  for (const [index, wanted] of queries.entries())
    for (const state of searching.states.values())
      if (state.step.do === wanted) state.candidates = found[index] ?? [];
}

/** The results of each query, in one script. */
async function candidatesFor(
  queries: string[],
  { conversation, search }: Pick<Searching, 'conversation' | 'search'>,
): Promise<Candidate[][]> {
  const [query] = queries;
  const code =
    queries.length === 1
      ? `return await tools.${search}({ query: ${JSON.stringify(query)} });`
      : `const queries = ${JSON.stringify(queries)};\nreturn await Promise.all(queries.map((query) => tools.${search}({ query })));`;
  const outcome = await conversation.run(code);
  if (outcome.type !== 'value') return [];
  const answers = queries.length === 1 ? [outcome.value] : outcome.value;
  return queries.map((_, index) => candidatesIn(Array.isArray(answers) ? answers[index] : undefined));
}

/** Where the first results do not fit, says it in other words: the service, the thing, and the names of the values. */
async function searchAgain(task: AgentTask, { states, conversation, search }: Searching): Promise<void> {
  const services = servicesNamed(task, states, conversation.shown);
  const unsure = [...states.values()].filter((state) => !fits(state, services));
  const queryOf = ({ step }: StepState) =>
    [...services, step.as, ...Object.keys(step.values ?? {})].join(' ');
  const queries = [...new Set(unsure.map(queryOf))];
  for (let first = 0; first < queries.length; first += searchesAtOnce) {
    const some = queries.slice(first, first + searchesAtOnce);
    const found = await candidatesFor(some, { conversation, search });
    for (const state of unsure) {
      const own = found[some.indexOf(queryOf(state))] ?? [];
      state.candidates = merged(state.candidates, own);
      choose(task, state);
    }
  }
}

/** Each tool once, with its better place and its longer signature. */
function merged(first: Candidate[], second: Candidate[]): Candidate[] {
  const tools = new Map<string, Candidate>();
  for (const candidate of [...first, ...second]) {
    const known = tools.get(candidate.path) ?? candidate;
    const longer = candidate.signature.length > known.signature.length ? candidate : known;
    tools.set(candidate.path, { ...longer, rank: Math.min(known.rank, candidate.rank) });
  }
  return [...tools.values()];
}

/** The services that the task calls by a name that Executor has shown. */
function servicesNamed(task: AgentTask, states: Map<string, StepState>, shown: string): string[] {
  const listed = [...shown.matchAll(/\b([a-z][\w-]*) \(\d+\)/g)].map(([, name = '']) => name);
  const found = [...states.values()].flatMap(({ candidates }) =>
    candidates.map(({ path }) => path.split('.', 1)[0] ?? ''),
  );
  return [...new Set([...listed, ...found])].filter((name) => textFit(name, task.text) === 1);
}
/** Reads tools whose signatures in the search left something out. */
export async function describeTools(
  states: StepState[],
  ways: Ways,
  conversation: Conversation,
): Promise<void> {
  const paths = [...new Set(states.flatMap(({ tool }) => (tool ? [tool.path] : [])))];
  if (paths.length === 0) return;
  let outcome = await conversation.run(descriptionCode(ways.describe ?? 'describe', paths));
  if (outcome.type === 'failed' && ways.describe === undefined) {
    ways.describe = waysIn(outcome.message).describe ?? '';
    if (ways.describe !== '') outcome = await conversation.run(descriptionCode(ways.describe, paths));
  }
  const described = outcome.type === 'value' ? candidatesIn(outcome.value) : [];
  for (const state of states) {
    const found = described.find(({ path }) => path === state.tool?.path);
    if (!state.tool) continue;
    const { needsApproval } = state.tool;
    state.tool = { ...knownTool({ ...state.tool, ...found, needsApproval }), isDescribed: true };
  }
}

function descriptionCode(describe: string, paths: string[]): string {
  const calls = paths.map((path) => `await tools.${describe}({ path: ${JSON.stringify(path)} })`);
  return calls.length === 1 ? `return ${calls[0]};` : `return [${calls.join(', ')}];`;
}

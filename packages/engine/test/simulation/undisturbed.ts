import type { InteractionRow } from '../../src/ports/interaction-store.ts';
import type { RunRow } from './model-tables.ts';
import { hashOf, Random } from './random.ts';
import { interpret, type Script, ScriptError } from './script.ts';
import { answerOf, kindOf, siteOf } from './tools.ts';

/** The result of a script without faults and with the same answers; undefined if it depends on more than that. */
export async function resultOf(
  { row, events }: RunRow,
  asked: InteractionRow[],
): Promise<string | undefined> {
  const script = JSON.parse(row.code) as Script;
  if (!script.steady || asked.some(({ status }) => status === 'expired')) return undefined;
  const timedOut = events.some(
    (event) =>
      event.type === 'call.completed' &&
      event.result.type === 'error' &&
      event.result.details?.includes('"timeout"'),
  );
  const answers = answersBySite(asked);
  if (timedOut || answers === undefined) return undefined;
  const random = new Random(hashOf(row.seed));
  const api = {
    call: async (path: string, input: unknown) => answer(path, siteOf(input), answers),
    sleep: async () => {},
    timer: () => () => {},
    log: () => {},
    random: () => random.next(),
  };
  return interpret(script, api).then(
    (value) => JSON.stringify(value ?? null),
    (error: Error) => `threw ${error.message}`,
  );
}

type Answers = Map<string, string>;

/** Undefined if equal questions got different answers. */
function answersBySite(asked: InteractionRow[]): Answers | undefined {
  const answers: Answers = new Map();
  for (const { kind, toolPath, input, resolution } of asked) {
    if (!resolution) continue;
    const { action } = resolution;
    const site = siteOf(JSON.parse(input));
    if (action === 'fail' || (site === 'same' && toolPath === 't.form')) return undefined;
    const key = `${kind} ${toolPath} ${site}`;
    const before = answers.get(key);
    if (kind === 'reconcile') {
      if (before !== 'complete') answers.set(key, action);
      continue;
    }
    if (before !== undefined && before !== action) return undefined;
    answers.set(key, action);
  }
  return answers;
}

function answer(path: string, site: string, answers: Answers): unknown {
  const { decision, asks } = kindOf(path);
  if (decision === 'deny') throw new ScriptError('ToolDeniedError', `${path} is denied: so`, 'denied');
  if (answers.get(`approval ${path} ${site}`) === 'deny')
    throw new ScriptError(
      'ToolDeniedError',
      `A person denied ${path}: no. Do not try the same again.`,
      'denied',
    );
  const completed = answers.get(`reconcile ${path} ${site}`) === 'complete';
  if (asks && !completed && answers.get(`elicitation ${path} ${site}`) === 'cancel')
    throw new ScriptError('ToolError', 'No answer: cancelled.', 'cancelled');
  return answerOf(path, site);
}

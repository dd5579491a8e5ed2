import type { AgentTask } from '../task.ts';
import { placeValues } from './arguments.ts';
import { type KnownTool, knownTool, outputOf, referencesIn, type StepState } from './plan.ts';
import { type Candidate, serviceFit } from './reading.ts';
import { isKnown, listIn } from './types.ts';
import { textFit } from './words.ts';

/** Orders the candidates of a step as a reader would, and takes the best one. */
export function choose(task: AgentTask, state: StepState): void {
  const scored = state.candidates.map((candidate, rank) => ({
    candidate,
    score: scoreOf(task, state, candidate, rank),
  }));
  state.candidates = scored
    .toSorted((one, other) => other.score - one.score)
    .map(({ candidate }) => candidate);
  const [best] = state.candidates.filter(({ path }) => !state.rejected.has(path));
  if (best) state.tool = knownTool(best);
}

/** What the search ranked first is probably right. A reader corrects it by the words, the service and the fields. */
function scoreOf(task: AgentTask, { step }: StepState, candidate: Candidate, rank: number): number {
  const tool = knownTool(candidate);
  const isAction = step.take === undefined;
  const values = literalValues(step.values);
  const { unplaced, missing } = placeValues(values, tool.types.input, {
    isAction,
    fixes: { fields: new Map(), codes: new Map(), dropped: new Set() },
  });
  const isReference = (name: string) => values.get(name)?.isReference === true;
  const lost = unplaced.filter((name) => isAction || isReference(name)).length;
  const share = values.size === 0 ? 0 : lost / values.size;
  const words = textFit(step.do, `${candidate.path} ${candidate.description}`);
  const returnsList = !isAction && hasList(tool, step.as) ? 0.3 : 0;
  const rightKind = candidate.needsApproval === isAction ? 0.4 : 0;
  return (
    1 / (1 + 0.35 * rank) +
    words +
    0.8 * serviceFit(task.text, candidate) +
    returnsList +
    rightKind -
    0.9 * share -
    0.35 * Math.min(missing.length, 3)
  );
}

function hasList(tool: KnownTool, noun: string): boolean {
  const output = outputOf(tool);
  return isKnown(output) && listIn(output, noun) !== undefined;
}

function literalValues(values: StepState['step']['values'] = {}) {
  return new Map(
    Object.entries(values)
      .filter(([, value]) => typeof value !== 'object' || Array.isArray(value))
      .map(([name, value]) => {
        const isReference = referencesIn(value).length > 0;
        const known =
          isReference && !Array.isArray(value) ? {} : { value: isReference ? [undefined] : value };
        return [name, { code: JSON.stringify(value), isReference, ...known }];
      }),
  );
}

/** Whether the shown signature leaves out something that the step needs, so that the tool has to be described. */
export function needsDescription({ step, tool }: StepState): boolean {
  if (!tool || tool.isDescribed) return false;
  if (tool.signature === '') return true;
  if (!tool.types.isCut) return false;
  const isAction = step.take === undefined;
  const values = literalValues(step.values);
  const { unplaced } = placeValues(values, tool.types.input, {
    isAction,
    fixes: { fields: new Map(), codes: new Map(), dropped: new Set() },
  });
  const lost = unplaced.filter((name) => isAction || values.get(name)?.isReference === true);
  return lost.length > 0 || (step.take !== undefined && step.take !== 'first' && !hasList(tool, step.as));
}

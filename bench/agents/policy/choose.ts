import type { AgentTask } from '../task.ts';
import { noFixes, placeValues } from './arguments.ts';
import { type KnownTool, knownTool, outputOf, referencesIn, type StepState } from './plan.ts';
import { type Candidate, serviceFit } from './reading.ts';
import { fieldFor, isKnown, listIn, type Type } from './types.ts';
import { textFit } from './words.ts';

/** Orders the candidates of a step as a reader would, and takes the best one. */
export function choose(task: AgentTask, state: StepState): void {
  const scored = state.candidates.map((candidate) => ({ candidate, score: scoreOf(task, state, candidate) }));
  state.candidates = scored
    .toSorted((one, other) => other.score - one.score)
    .map(({ candidate }) => candidate);
  const [best] = state.candidates.filter(({ path }) => !state.rejected.has(path));
  if (best) state.tool = knownTool(best);
}

/** What the search ranked first is probably right. A reader corrects it by the words, the service and the fields. */
function scoreOf(task: AgentTask, state: StepState, candidate: Candidate): number {
  const { step } = state;
  const isAction = step.take === undefined;
  const { lost, missing, items, noList } = reviewed(step, knownTool(candidate));
  const words = textFit(step.do, `${candidate.path} ${candidate.description}`);
  const rightKind = candidate.needsApproval === isAction ? 0.4 : 0;
  return (
    1 / (1 + 0.35 * candidate.rank) +
    words +
    0.8 * serviceFit(task.text, candidate) +
    (items === undefined ? 0 : 0.3) +
    rightKind -
    (noList ? 0.6 : 0) -
    0.9 * lost -
    (isAction ? 0.35 : 0.7) * Math.min(missing, 3)
  );
}

/** How a tool takes the values of a step. */
export function reviewed(step: StepState['step'], tool: KnownTool) {
  const isAction = step.take === undefined;
  const values = literalValues(step.values);
  const { unplaced, missing } = placeValues(values, tool.types.input, { isAction, fixes: noFixes() });
  const isReference = (name: string) => values.get(name)?.isReference === true;
  const items = isAction ? undefined : itemsOf(tool, step.as);
  const output = items ?? outputOf(tool);
  const isLost = (name: string) =>
    isAction || isReference(name) || (isKnown(output) && fieldFor(name, output) === undefined);
  const lost = values.size === 0 ? 0 : unplaced.filter(isLost).length / values.size;
  const noList = !isAction && items === undefined && isKnown(outputOf(tool)) && unplaced.length > 0;
  return { lost, missing: missing.length, items, noList };
}

/** Whether the chosen tool seems right. If not, a reader searches once more. */
export function fits({ step, tool }: StepState, services: string[]): boolean {
  if (!tool) return false;
  const isNamed = services.length === 0 || services.includes(tool.path.split('.', 1)[0] ?? '');
  const { missing, noList } = reviewed(step, tool);
  return isNamed && missing === 0 && !noList;
}

function itemsOf(tool: KnownTool, noun: string): Type | undefined {
  const output = outputOf(tool);
  return isKnown(output) ? listIn(output, noun)?.items : undefined;
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
    fixes: noFixes(),
  });
  const lost = unplaced.filter((name) => isAction || values.get(name)?.isReference === true);
  return (
    lost.length > 0 ||
    (step.take !== undefined && step.take !== 'first' && itemsOf(tool, step.as) === undefined)
  );
}

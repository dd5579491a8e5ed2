import { cutText, excerpt, type InputLocation, locationName } from '../location.ts';
import {
  addSeen,
  eachUntilEnough,
  here,
  type Keyword,
  noneSeen,
  type Outcome,
  type Problem,
  problem,
  type Step,
} from '../schema-check.ts';
import { isObject, isSchema } from '../schema-document.ts';
import { typeProblem } from './value.ts';

export const combinationKeywords: Record<string, Keyword> = {
  $ref: follow,
  $dynamicRef: follow,

  allOf: (step) => eachUntilEnough(listOf(step.argument), (schema) => demand(step, here(step, schema))),

  anyOf(step) {
    const schemas = listOf(step.argument);
    if (schemas.length === 0) return;
    const outcomes = schemas.map((schema) => here(step, schema));
    const fitting = outcomes.filter(fits);
    for (const { seen } of fitting) addSeen(step, seen);
    return fitting.length > 0 ? undefined : noneFits(step, outcomes);
  },

  oneOf(step) {
    const schemas = listOf(step.argument);
    if (schemas.length === 0) return;
    const outcomes = schemas.map((schema) => here(step, schema));
    const fitting = outcomes.filter(fits);
    if (fitting.length > 1) {
      return problem(step, `must have one of ${schemas.length} forms, but fits ${fitting.length} of them`);
    }
    addSeen(step, fitting[0]?.seen);
    return fitting.length === 1 ? undefined : noneFits(step, outcomes);
  },

  not(step) {
    if (!isSchema(step.argument) || !fits(here(step, step.argument))) return;
    return problem(step, `must not have this form: ${excerpt(step.argument, 120)}`);
  },

  if(step) {
    const { argument, schema } = step;
    if (!isSchema(argument)) return;
    const condition = here(step, argument);
    if (fits(condition)) addSeen(step, condition.seen);
    return demand(step, here(step, fits(condition) ? schema.then : schema.else));
  },
};

function follow(step: Step): Problem[] | undefined {
  const { argument, check, position, value } = step;
  const target = typeof argument === 'string' ? check.document.resolve(argument) : undefined;
  if (target === undefined) {
    check.note(`The reference ${excerpt(argument)} leads nowhere in this schema, so it was not checked.`);
    seeAll(step);
    return;
  }
  for (let via = position.via; via; via = via.parent) {
    check.budget.spend(1);
    if (via.schema !== target) continue;
    check.note(`The reference ${excerpt(argument)} leads back to itself, so it was not checked.`);
    return;
  }
  const via = { schema: target, parent: position.via };
  return demand(step, check.evaluate(target, value, { location: position.location, via }));
}

/** Marks everything as evaluated if it is unknown what a schema evaluates, so that nothing is rejected as unevaluated. */
function seeAll(step: Step): void {
  const { seen, value } = step;
  if (seen === undefined) return;
  if (Array.isArray(value)) addSeen(step, { ...noneSeen(), items: value.length });
  else if (isObject(value)) addSeen(step, { ...noneSeen(), keys: new Set(Object.keys(value)) });
}

function demand(step: Step, outcome: Outcome): Problem[] {
  if (fits(outcome)) addSeen(step, outcome.seen);
  return outcome.problems;
}

function fits({ problems }: Outcome): boolean {
  return problems.length === 0;
}

function listOf(argument: unknown): unknown[] {
  return Array.isArray(argument) ? argument : [];
}

/** A list of problems within problems would grow with each level of the input. */
const maxChars = 400;

/** Reports the alternative that was most likely meant: of the right type and fixed values, with the fewest problems. */
function noneFits(step: Step, outcomes: Outcome[]): Problem[] {
  const { location } = step.position;
  const typeMismatch = ({ problems }: Outcome) =>
    problems.find((one) => one.kind === 'type' && one.location === location);
  const mismatches = outcomes.map(typeMismatch);
  if (mismatches.every((mismatch) => mismatch?.types)) {
    const types = mismatches.flatMap((mismatch) => mismatch?.types ?? []);
    return [{ location, kind: 'type', text: typeProblem(types, step.value), types }];
  }
  const faults = (outcome: Outcome) =>
    (typeMismatch(outcome) ? 10_000 : 0) +
    outcome.problems.filter((one) => one.kind === 'value' && isNear(one.location, location)).length * 100 +
    outcome.problems.length;
  const [meant] = outcomes
    .map((outcome) => ({ outcome, faults: faults(outcome) }))
    .toSorted((a, b) => a.faults - b.faults);
  const problems = meant?.outcome.problems ?? [];
  if (outcomes.length === 1) return problems;
  const faultsOfNearest = problems
    .slice(0, 3)
    .map((one) => `${locationName(one.location, step.check.subject)} ${one.text}`)
    .join(', and ');
  return problem(
    step,
    `fits none of its ${outcomes.length} allowed forms. In the nearest form, ${cutText(faultsOfNearest, maxChars)}`,
  );
}

/** Whether a location is the other or directly within it. */
function isNear(location: InputLocation | undefined, other: InputLocation | undefined): boolean {
  return location === other || location?.parent === other;
}

import { linearPattern } from '../linear-pattern.ts';
import { excerpt } from '../location.ts';
import { type Keyword, problem, type Step } from '../schema-check.ts';

export const scalarKeywords: Record<string, Keyword> = {
  minimum: (step) => compare(step, (value, limit) => value >= limit, 'at least'),
  maximum: (step) => compare(step, (value, limit) => value <= limit, 'at most'),
  exclusiveMinimum: (step) => compare(step, (value, limit) => value > limit, 'more than'),
  exclusiveMaximum: (step) => compare(step, (value, limit) => value < limit, 'less than'),
  multipleOf: (step) =>
    compare(step, (value, divisor) => divisor <= 0 || isMultiple(value, divisor), 'a multiple of'),

  minLength: (step) => compareLength(step, (length, limit) => length >= limit, 'at least'),
  maxLength: (step) => compareLength(step, (length, limit) => length <= limit, 'at most'),

  pattern(step) {
    const { argument, value } = step;
    if (typeof value !== 'string' || typeof argument !== 'string') return;
    if (matches(step, argument, value)) return;
    return problem(step, `must match ${excerpt(argument)}, but is ${excerpt(value)}`);
  },
};

/** Whether a text matches; true if the pattern cannot be checked. */
export function matches({ check }: Pick<Step, 'check'>, pattern: string, text: string): boolean {
  const compiled = linearPattern(pattern);
  if (compiled === undefined) {
    check.note(`The pattern ${excerpt(pattern)} cannot be matched safely, so it was not checked.`);
    return true;
  }
  check.budget.spend(compiled.cost(text.length));
  return compiled.test(text);
}

function compare(step: Step, holds: (value: number, limit: number) => boolean, words: string) {
  const { argument, value } = step;
  if (typeof value !== 'number' || typeof argument !== 'number' || holds(value, argument)) return;
  return problem(step, `must be ${words} ${argument}, but is ${value}`);
}

function compareLength(step: Step, holds: (length: number, limit: number) => boolean, words: string) {
  const { argument, value, check } = step;
  if (typeof value !== 'string' || typeof argument !== 'number') return;
  check.budget.spend(value.length / 20);
  const length = characters(value);
  if (holds(length, argument)) return;
  return problem(
    step,
    `must have ${words} ${argument} ${argument === 1 ? 'character' : 'characters'}, but has ${length}`,
  );
}

/** The number of Unicode code points, as in the specification: a surrogate pair counts as one. */
function characters(text: string): number {
  let count = 0;
  for (const _ of text) count += 1;
  return count;
}

/** Decimal fractions are inexact in binary. 0.3 must count as a multiple of 0.1. */
function isMultiple(value: number, divisor: number): boolean {
  const quotient = value / divisor;
  return Math.abs(quotient - Math.round(quotient)) <= Math.abs(quotient) * 1e-12;
}

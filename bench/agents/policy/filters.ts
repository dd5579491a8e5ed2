import type { Comparison } from '../task.ts';
import { convert, type Expression, type Placement } from './arguments.ts';
import { isComparison, type StepState } from './plan.ts';
import { accessor, fieldFor, type Leaf, type Type, valueAt } from './types.ts';
import { nameFit } from './words.ts';

interface Filtering {
  placement: Placement;
  items: Type;
  values: Map<string, Expression>;
}

interface Condition {
  leaf: Leaf;
  value: Expression | Comparison;
}

/** The conditions on `row` for the values that the tool did not filter by itself. */
export function filtersOf(state: StepState, filtering: Filtering): string[] {
  return conditionsOf(state, filtering).map(({ leaf, value }) => {
    const field = `row${accessor(leaf.path)}`;
    if (!('code' in value)) return comparisonText(field, value as Comparison);
    if (leaf.type.kind === 'array') return `${field}.includes(${value.code})`;
    const isPlain = leaf.type.kind === 'primitive' || leaf.type.kind === 'literals';
    const code = isPlain ? convert(value, leaf.type) : undefined;
    return code === undefined ? `String(${field}) === String(${value.code})` : `${field} === ${code}`;
  });
}

/** The same on rows that the agent has read. */
export function filterRows(rows: unknown[], state: StepState, filtering: Filtering): unknown[] {
  const conditions = conditionsOf(state, filtering);
  return rows.filter((row) =>
    conditions.every(({ leaf, value }) => {
      const found = valueAt(row, leaf.path);
      if (!('code' in value)) return holds(found, value as Comparison);
      if (value.value === undefined) return true;
      return Array.isArray(found) ? found.includes(value.value) : String(found) === String(value.value);
    }),
  );
}

function conditionsOf({ step }: StepState, { placement, items, values }: Filtering): Condition[] {
  return Object.entries(step.values ?? {}).flatMap(([name, stepValue]): Condition[] => {
    const value = isComparison(stepValue) ? stepValue : values.get(name);
    const leaf = fieldFor(name, items);
    if (value === undefined || leaf === undefined) return [];
    if (!placement.placed.has(name)) return [{ leaf, value }];
    // A search parameter may match more than what it was given.
    const isSure =
      step.take === 'one' && 'code' in value && !value.isReference && nameFit(name, leaf.name) > 0.9;
    return isSure ? [{ leaf, value }] : [];
  });
}

function comparisonText(field: string, { before, after, over, under, contains }: Comparison): string {
  const parts = [
    ...(before === undefined ? [] : [`${field} < ${JSON.stringify(before)}`]),
    ...(after === undefined ? [] : [`${field} > ${JSON.stringify(after)}`]),
    ...(over === undefined ? [] : [`${field} > ${over}`]),
    ...(under === undefined ? [] : [`${field} < ${under}`]),
    ...(contains === undefined ? [] : [`${field}.includes(${JSON.stringify(contains)})`]),
  ];
  return parts.join(' && ');
}

/** Whether a value is within a comparison. Dates are compared as text, because all are in ISO form. */
export function holds(value: unknown, { before, after, over, under, contains }: Comparison): boolean {
  const inside = Array.isArray(value) ? value.includes(contains) : String(value).includes(contains ?? '');
  return (
    (before === undefined || String(value) < before) &&
    (after === undefined || String(value) > after) &&
    (over === undefined || Number(value) > over) &&
    (under === undefined || Number(value) < under) &&
    (contains === undefined || inside)
  );
}

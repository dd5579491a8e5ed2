import type { Budget } from '../budget.ts';
import {
  addSeen,
  below,
  eachUntilEnough,
  type Keyword,
  noneSeen,
  problem,
  type Step,
} from '../schema-check.ts';
import { isSchema } from '../schema-document.ts';

export const arrayKeywords: Record<string, Keyword> = {
  prefixItems(step) {
    const { argument, value } = step;
    if (!Array.isArray(value) || !Array.isArray(argument)) return;
    markItems(step, argument.length);
    return eachUntilEnough(value.slice(0, argument.length).entries(), ([key, item]) =>
      below(step, argument[key], { key, value: item }),
    );
  },

  items(step) {
    const { argument, schema, value } = step;
    // Before 2020-12 a list here had the meaning of `prefixItems`.
    if (Array.isArray(argument)) return arrayKeywords.prefixItems?.(step);
    return each(step, lengthOf(schema.prefixItems), value);
  },

  additionalItems(step) {
    const { schema, value } = step;
    return Array.isArray(schema.items) ? each(step, schema.items.length, value) : undefined;
  },

  contains(step) {
    const { argument, schema, value, check, position } = step;
    if (!Array.isArray(value) || !isSchema(argument)) return;
    const fitting = value.flatMap((item, key) => {
      const location = { parent: position.location, key };
      return check.evaluate(argument, item, { location }).problems.length === 0 ? [key] : [];
    });
    if (step.seen) addSeen(step, { ...noneSeen(), indexes: new Set(fitting) });
    const least = typeof schema.minContains === 'number' ? schema.minContains : 1;
    const most = typeof schema.maxContains === 'number' ? schema.maxContains : Number.POSITIVE_INFINITY;
    if (fitting.length >= least && fitting.length <= most) return;
    const wanted = fitting.length < least ? `at least ${least}` : `at most ${most}`;
    return problem(step, `must have ${wanted} items of one kind, but has ${fitting.length}`);
  },

  minItems: (step) => compareLength(step, (length, limit) => length >= limit, 'at least'),
  maxItems: (step) => compareLength(step, (length, limit) => length <= limit, 'at most'),

  uniqueItems(step) {
    const { argument, value, check } = step;
    if (argument !== true || !Array.isArray(value) || value.length < 2) return;
    // Compares canonical texts, because comparing all pairs takes quadratic time.
    const texts = new Map<string, number>();
    for (const [index, item] of value.entries()) {
      const text = canonical(item, check.budget);
      const twin = texts.get(text);
      if (twin !== undefined)
        return problem(step, `must not repeat an item, but [${twin}] and [${index}] are the same`);
      texts.set(text, index);
    }
    return;
  },

  unevaluatedItems(step) {
    const { value, seen } = step;
    if (!Array.isArray(value) || !seen) return;
    const isSeen = (key: number) => key < seen.items || seen.indexes.has(key);
    const problems = eachUntilEnough(value.entries(), ([key, item]) =>
      isSeen(key) ? [] : below(step, step.argument, { key, value: item }),
    );
    seen.items = value.length;
    return problems;
  },
};

function each(step: Step, from: number, value: unknown) {
  if (!Array.isArray(value)) return;
  markItems(step, value.length);
  return eachUntilEnough(indexesFrom(from, value.length), (key) =>
    below(step, step.argument, { key, value: value[key] }),
  );
}

function* indexesFrom(from: number, length: number): Generator<number> {
  for (let index = from; index < length; index++) yield index;
}

function markItems({ seen }: Step, count: number): void {
  if (seen) seen.items = Math.max(seen.items, count);
}

function lengthOf(value: unknown): number {
  return Array.isArray(value) ? value.length : 0;
}

function compareLength(step: Step, holds: (length: number, limit: number) => boolean, words: string) {
  const { argument, value } = step;
  if (!Array.isArray(value) || typeof argument !== 'number' || holds(value.length, argument)) return;
  return problem(step, `must have ${words} ${argument} items, but has ${value.length}`);
}

/** Each level of lists and objects copies the texts within. */
function canonical(value: unknown, budget: Budget): string {
  const text = canonicalText(value, budget);
  budget.spend(1.5 + text.length / 50);
  return text;
}

function canonicalText(value: unknown, budget: Budget): string {
  if (Array.isArray(value)) return `[${value.map((item) => canonical(item, budget)).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const object = value as Record<string, unknown>;
  const properties = Object.keys(object)
    .sort()
    .map((key) => `${JSON.stringify(key)}:${canonical(object[key], budget)}`);
  return `{${properties.join(',')}}`;
}

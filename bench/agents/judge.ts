import { holds } from './policy/filters.ts';
import type { AgentTask, AnswerQuery, Expectation, Where } from './task.ts';

/** The collections of all services, by `service.collection`. */
export type World = Record<string, Record<string, unknown>[]>;

/** Why a task is not done; undefined if it is done. */
export function judge(
  { expect }: AgentTask,
  answer: unknown,
  { before, after }: Record<'before' | 'after', World>,
) {
  return (
    wrongAnswer(expect, answer, before) ?? wrongState(expect, after) ?? sideEffect(expect, before, after)
  );
}

function wrongAnswer({ answer: expected }: Expectation, answer: unknown, before: World): string | undefined {
  if (expected === undefined) return undefined;
  const right = typeof expected === 'object' ? rightAnswer(expected, before) : expected;
  const isRight = comparable(answer) === comparable(right);
  return isRight ? undefined : `the answer is ${comparable(answer)} instead of ${comparable(right)}`;
}

function rightAnswer(query: AnswerQuery, before: World): unknown {
  const [[form, collection] = ['', '']] = Object.entries(query);
  const items = matching(before, String(collection), query.where);
  if (form === 'count') return items.length;
  const field = 'field' in query ? query.field : '';
  const values = items.map((item) => deep(item, field));
  if (form === 'sum') return values.reduce<number>((sum, value) => sum + Number(value), 0);
  if (form === 'list') return values;
  const by = 'by' in query ? query.by : '';
  return deep(
    items.toSorted((one, other) => Number(deep(other, by)) - Number(deep(one, by)))[0] ?? {},
    field,
  );
}

/** Numbers as text and the order of a list do not matter. */
function comparable(answer: unknown): string {
  if (Array.isArray(answer)) return JSON.stringify(answer.map(String).toSorted());
  return String(answer).trim().toLowerCase();
}

function wrongState({ state = [] }: Expectation, after: World): string | undefined {
  for (const { in: collection, where, count } of state) {
    const found = matching(after, collection, where).length;
    if (found !== count) return `${collection} has ${found} instead of ${count} of ${JSON.stringify(where)}`;
  }
  return undefined;
}

/** Nothing else may have changed. */
function sideEffect(expect: Expectation, before: World, after: World): string | undefined {
  const expected = expect.changes ?? (expect.state ?? []).reduce((sum, { count }) => sum + count, 0);
  const changes = Object.keys(after).reduce(
    (sum, name) => sum + changed(before[name] ?? [], after[name] ?? []),
    0,
  );
  return changes === expected ? undefined : `${changes} items changed instead of ${expected}`;
}

function changed(before: object[], after: object[]): number {
  const left = new Set(before.map((item) => JSON.stringify(item)));
  const added = after.filter((item) => !left.delete(JSON.stringify(item))).length;
  return Math.max(added, left.size);
}

function matching(world: World, collection: string, where: Where = {}): object[] {
  const items = world[collection];
  if (!items) throw new RangeError(`There is no collection ${collection}.`);
  return items.filter((item) =>
    Object.entries(where).every(([path, wanted]) => fits(deep(item, path), wanted)),
  );
}

function fits(value: unknown, wanted: Where[string]): boolean {
  if (typeof wanted !== 'object') return value === wanted;
  if (Array.isArray(wanted)) return JSON.stringify(value) === JSON.stringify(wanted);
  return holds(value, wanted);
}

function deep(item: object, path: string): unknown {
  return path.split('.').reduce<unknown>((inner, name) => (inner as Record<string, unknown>)?.[name], item);
}

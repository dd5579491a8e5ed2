import type { AuditEntry, Interaction } from '@executor/protocol';
import { expect } from 'vitest';
import type { Ledger } from './ledger.ts';
import { describeRun, type Performance } from './perform.ts';
import type { Person } from './person.ts';
import type { World } from './world.ts';

const repeatable = new Set(['read', 'put', 'consult']);

/** The invariants that must hold after every performance. */
export async function expectNothingWrong(
  world: World,
  performance: Performance,
  undisturbed: { endings: Performance['endings']; effects: string[] },
): Promise<void> {
  const { person, ids, endings } = performance;
  for (const [index, id] of ids.entries()) {
    if (JSON.stringify(endings[index]) === JSON.stringify(undisturbed.endings[index])) continue;
    console.error(`A run that ended differently:\n${await describeRun(world, id)}`);
  }
  expect(endings).toEqual(undisturbed.endings);
  expect(person.problems).toEqual([]);
  expect(repeatedWithoutAnswer(world.ledger, person)).toEqual([]);
  expect(effectsOf(world.ledger)).toEqual(undisturbed.effects);
  expect(unapproved(world.ledger, person)).toEqual([]);
  await expectAnswersKept(world, person);
}

/** Replays journals and expects the same calls and endings. */
export async function expectReplays(world: World, ids: string[]): Promise<void> {
  for (const id of ids) {
    const report = await world.client.executions.replay({ id });
    if (!report.matched) console.error(await describeRun(world, id));
    expect(report).toMatchObject({ matched: true });
  }
}

/** The completed effects, with repetitions, in an order that does not depend on time. */
export function effectsOf(ledger: Ledger): string[] {
  const done = ledger.entries.filter(({ operation, state }) => state === 'done' && operation !== 'read');
  const effects = done.map(({ operation, key, callId }) =>
    repeatable.has(operation) ? { operation, key } : { operation, key, index: callId.split('.')[1] },
  );
  const all = effects.map((effect) => JSON.stringify(effect));
  // Repeatable effects count once.
  return all.filter((effect, index) => !isRepeatable(effect) || all.indexOf(effect) === index).sort();
}

function isRepeatable(effect: string): boolean {
  return repeatable.has((JSON.parse(effect) as { operation: string }).operation);
}

/** Non-repeatable calls that arrived twice without a `retry` answer in between. */
function repeatedWithoutAnswer({ entries }: Ledger, { answers }: Person): unknown[] {
  return entries.filter(({ operation, callId, order }) => {
    if (repeatable.has(operation)) return false;
    const before = entries.findLast((other) => other.callId === callId && other.order < order);
    if (before === undefined) return false;
    return !answers.some(
      (answer) =>
        answer.callId === callId &&
        answer.action === 'retry' &&
        answer.order > before.order &&
        answer.order < order,
    );
  });
}

/** Calls that arrived before they were approved. */
function unapproved({ entries }: Ledger, { answers }: Person): unknown[] {
  const approved = answers.filter(({ action }) => action === 'approve');
  return entries.filter(({ operation, key, callId, order }) => {
    if (operation === 'read' || operation === 'consult' || key.startsWith('free ')) return false;
    // One answer covers all identical calls of a run.
    const covers = (answer: { callId: string }) =>
      key.startsWith('same ') ? runOf(answer.callId) === runOf(callId) : answer.callId === callId;
    return !approved.some((answer) => covers(answer) && answer.order < order);
  });
}

/** No question is pending, no answer was accepted twice, and each accepted answer is in the audit once. */
async function expectAnswersKept(world: World, person: Person): Promise<void> {
  const pending = await world.client.interactions.list({ status: 'pending' });
  expect(pending.items).toEqual([]);
  expect([...person.accepted].filter(([, times]) => times > 1)).toEqual([]);
  const audit = await all<AuditEntry>((page) => world.client.audit.list(page));
  const entries = audit.filter(({ action }) => action === 'interaction.resolved');
  const targets = entries.map(({ target = '' }) => target);
  expect(targets.length).toBe(new Set(targets).size);
  expect([...person.accepted.keys()].filter((id) => !targets.includes(id))).toEqual([]);
  const resolved = await all<Interaction>((page) =>
    world.client.interactions.list({ ...page, status: 'resolved' }),
  );
  const once = resolved.filter(({ resolution }) => resolution?.scope !== 'identical').map(({ id }) => id);
  expect(once.filter((id) => !targets.includes(id))).toEqual([]);
  const ids = new Set(resolved.map(({ id }) => id));
  expect(targets.filter((id) => !ids.has(id))).toEqual([]);
}

async function all<Item>(
  list: (page: {
    limit: number;
    cursor?: string;
  }) => Promise<{ items: Item[]; nextCursor?: string | undefined }>,
): Promise<Item[]> {
  const items: Item[] = [];
  let cursor: string | undefined;
  do {
    const page = await list({ limit: 200, ...(cursor && { cursor }) });
    items.push(...page.items);
    cursor = page.nextCursor;
  } while (cursor !== undefined);
  return items;
}

function runOf(callId: string): string {
  return callId.split('.')[0] ?? '';
}

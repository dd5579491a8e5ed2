import type { AskedRow, InteractionRow, NewInteractionRow, ResolutionRow } from '@executor/engine';
import { beforeAll, describe, expect, test } from 'vitest';
import { at, entry, later, pages } from '../../../test/fixture.ts';
import {
  dispatched,
  endingOf,
  longMs,
  oddText,
  questionOf,
  type RunFixture,
  type Runs,
  runsOf,
} from '../../../test/runs.ts';

/** The contract of every implementation of interactions, with or without a database. */
export function describeInteractions(fixture: RunFixture): void {
  describe('interactions', () => {
    let runs: Runs;
    beforeAll(async () => {
      runs = await runsOf(fixture, 'asked');
    });
    const find = (id: string) => fixture.store.interactions.find(runs.workspaceId, id);
    const resolve = (
      id: string,
      resolution: ResolutionRow = approval,
      { identical = false, when = later(3) } = {},
    ) =>
      fixture.store.interactions.resolve(runs.workspaceId, id, { resolution, at: when, identical }, () => [
        entry(runs.workspaceId),
      ]);

    describe('pending', () => {
      test('are found only in their own workspace', async () => {
        const odd = { toolPath: oddText, input: oddText, request: oddText, prompt: oddText };
        const remember = {
          scope: { type: 'client', clientId: 'c' },
          pattern: 'github.**',
          conditions: [{ field: 'title', equals: oddText }],
          decision: 'allow',
          note: oddText,
        } satisfies NewInteractionRow['remember'];
        const { run, question } = await runs.waiting({ ...odd, remember, expiresAt: later(50) });
        const { ownerId, principalKind, clientId } = run;
        const askedBy = { ownerId, principalKind, clientId, keyName: null };
        expect(await find(question.id)).toEqual({ ...pending(question), askedBy });
        expect(question).toMatchObject(odd);
        const other = await fixture.newWorkspace('other');
        expect(await fixture.store.interactions.find(other.workspace.id, question.id)).toBeUndefined();
      });

      test('are listed newest first, in pages, by status and by run', async () => {
        const ownRuns = await runsOf(fixture, 'listed');
        const { run, lease } = await ownRuns.held();
        const questions = [0, 1, 2, 3, 4].map((callIndex) =>
          questionOf(run, { callIndex, createdAt: later(callIndex) }),
        );
        await fixture.store.executions.append(lease, 1, { events: [], ask: questions });
        const { question: elsewhere } = await ownRuns.waiting({ createdAt: later(9) });
        const ids = questions.map(({ id }) => id).reverse();
        const { interactions } = fixture.store;
        const found = await pages((page) =>
          interactions.list(ownRuns.workspaceId, { executionId: run.id }, page),
        );
        expect(found.map((page) => page.map(({ id }) => id))).toEqual([
          ids.slice(0, 2),
          ids.slice(2, 4),
          ids.slice(4),
        ]);
        await fixture.store.executions.append(lease, 2, {
          events: [],
          settle: [{ id: ids[0] ?? '', status: 'expired', at }],
        });
        const open = await interactions.list(ownRuns.workspaceId, { status: 'pending' }, { limit: 10 });
        expect(open.items.map(({ id }) => id)).toEqual([elsewhere.id, ...ids.slice(1)]);
        const expired = await interactions.list(ownRuns.workspaceId, { status: 'expired' }, { limit: 10 });
        expect(expired.items.map(({ id }) => id)).toEqual(ids.slice(0, 1));
        const waits = await fixture.store.interactions.pendingOf(run.id);
        expect(waits.map(({ id }) => id)).toEqual(questions.slice(0, 4).map(({ id }) => id));
      });
    });

    describe('answered', () => {
      test('keep the answer, add it to the journal and make the run runnable', async () => {
        const { run, question } = await runs.waiting({ callIndex: 4 });
        const answer: ResolutionRow = {
          action: 'submit',
          actorId: runs.tenant.actor.id,
          reason: oddText,
          scope: 'once',
          policyId: 'pol_1',
          data: { [oddText]: [oddText, null, 1.5] },
        };
        const row = { ...pending(question), status: 'resolved', resolvedAt: later(3), resolution: answer };
        expect(await resolve(question.id, answer)).toEqual({ type: 'resolved', rows: [row] });
        expect(await find(question.id)).toMatchObject(row);
        const { policyId: _, ...answered } = answer;
        expect((await fixture.store.executions.events(run.id, { afterSeq: 2, limit: 10 }))[0]).toEqual({
          seq: 3,
          at: later(3),
          type: 'interaction.resolved',
          index: 4,
          interactionId: question.id,
          ...answered,
        });
        const woken = await runs.find(run.id);
        expect(woken).toMatchObject({ status: 'waiting', lastSeq: 3, wakeAt: expect.any(Date) });
        expect(woken?.wakeAt?.getTime()).toBeLessThanOrEqual(fixture.now().getTime());
        await fixture.passTime(2);
        expect((await fixture.store.executions.lease(run.id, 'two', longMs))?.execution.lastSeq).toBe(3);
      });

      test('omit missing fields from the journal', async () => {
        const { run, question } = await runs.waiting();
        await resolve(question.id, { action: 'deny', actorId: 'act_1' });
        expect((await fixture.store.executions.events(run.id, { afterSeq: 2, limit: 10 }))[0]).toEqual({
          seq: 3,
          at: later(3),
          type: 'interaction.resolved',
          index: 0,
          interactionId: question.id,
          action: 'deny',
          actorId: 'act_1',
        });
      });

      test('are answered once by concurrent answers, and the others get the first answer', async () => {
        const { run, question } = await runs.waiting();
        const answers = await Promise.all(
          Array.from({ length: 6 }, (_, number) =>
            resolve(question.id, { ...approval, reason: `n${number}` }),
          ),
        );
        const winners = answers.filter((answer) => answer?.type === 'resolved');
        expect(winners).toHaveLength(1);
        const stands = await find(question.id);
        const { askedBy: _, ...answered } = stands as AskedRow;
        expect(winners[0]).toEqual({ type: 'resolved', rows: [answered] });
        for (const answer of answers.filter((answer) => answer?.type !== 'resolved')) {
          expect(answer).toEqual({ type: 'settled', row: stands });
        }
        expect((await runs.types(run.id)).slice(2)).toEqual(['interaction.resolved']);
      });

      test('do not interrupt a holder, which finds the answer before it releases the run', async () => {
        const { run, lease } = await runs.held();
        const question = questionOf(run);
        const { seq } = await fixture.store.executions.append(lease, 1, {
          events: [],
          status: 'waiting',
          ask: [question],
        });
        expect((await resolve(question.id))?.type).toBe('resolved');
        expect(await fixture.store.executions.release(lease, { status: 'waiting', knownSeq: seq })).toBe(
          'unread',
        );
        expect(await fixture.store.executions.append(lease, 2, { events: [dispatched(0)] })).toEqual({
          seq: 3,
        });
        expect(await fixture.store.executions.lease(run.id, 'two', longMs)).toBeUndefined();
      });

      test('also answer identical questions of the run if requested', async () => {
        const { run, lease } = await runs.held();
        const same = [3, 1, 2].map((callIndex) => questionOf(run, { callIndex }));
        const others = [
          questionOf(run, { callIndex: 4, binding: 'another' }),
          questionOf(run, { callIndex: 5, kind: 'reconcile' }),
          questionOf(run, { callIndex: 6, expiresAt: later(1) }),
        ];
        await fixture.store.executions.append(lease, 1, { events: [], ask: [...same, ...others] });
        const { question: elsewhere } = await runs.waiting();
        const [first, second, third] = same.map(({ id }) => id) as [string, string, string];
        const answer = await resolve(first, { ...approval, scope: 'identical' }, { identical: true });
        const rows = answer?.type === 'resolved' ? answer.rows : [];
        expect(rows.map(({ id, status }) => [id, status])).toEqual([
          [first, 'resolved'],
          [second, 'resolved'],
          [third, 'resolved'],
        ]);
        for (const { id } of [...others, elsewhere]) expect((await find(id))?.status).toBe('pending');
        const events = await fixture.store.executions.events(run.id, { afterSeq: 1, limit: 10 });
        expect(events).toMatchObject([
          { seq: 2, interactionId: first, index: 3, scope: 'identical' },
          { seq: 3, interactionId: second, index: 1, scope: 'identical' },
          { seq: 4, interactionId: third, index: 2, scope: 'identical' },
        ]);
      });

      test('are answered alone if requested', async () => {
        const { run, lease } = await runs.held();
        const [one, two] = [0, 1].map((callIndex) => questionOf(run, { callIndex })) as [
          NewInteractionRow,
          NewInteractionRow,
        ];
        await fixture.store.executions.append(lease, 1, { events: [], ask: [one, two] });
        await resolve(one.id);
        expect((await find(two.id))?.status).toBe('pending');
      });

      test('cannot be answered if they expired, were withdrawn or do not exist', async () => {
        const { run, question } = await runs.waiting({ expiresAt: later(3) });
        expect(await resolve(question.id)).toMatchObject({ type: 'settled', row: { id: question.id } });
        expect((await find(question.id))?.resolution).toBeNull();
        expect(await runs.types(run.id)).toEqual(['execution.created', 'execution.waiting']);
        expect((await resolve(question.id, approval, { when: later(2) }))?.type).toBe('resolved');

        const held = await runs.held();
        const withdrawn = questionOf(held.run);
        await fixture.store.executions.append(held.lease, 1, { events: [], ask: [withdrawn] });
        await fixture.store.executions.finish(held.lease, 2, endingOf());
        expect(await resolve(withdrawn.id)).toMatchObject({
          type: 'settled',
          row: { id: withdrawn.id, status: 'withdrawn', resolution: null },
        });
        expect(await runs.types(held.run.id)).toEqual(['execution.created', 'execution.completed']);
        expect(await resolve('int_none')).toBeUndefined();
        const other = await fixture.newWorkspace('other');
        const answer = { resolution: approval, at: later(3), identical: false };
        expect(
          await fixture.store.interactions.resolve(other.workspace.id, question.id, answer, () => []),
        ).toBeUndefined();
      });

      test.each(['finish', 'expire'] as const)(
        'are settled once when an answer races the holder (%s)',
        async (how) => {
          for (let round = 0; round < 6; round++) {
            const { run, lease } = await runs.held();
            const question = questionOf(run);
            await fixture.store.executions.append(lease, 1, { events: [], ask: [question] });
            const settle = [{ id: question.id, status: 'expired' as const, at: later(9) }];
            const holder = () =>
              how === 'finish'
                ? fixture.store.executions.finish(lease, 2, endingOf())
                : fixture.store.executions.append(lease, 2, { events: [], settle });
            const answering = round % 2 === 0 ? resolve(question.id) : undefined;
            const holding = holder();
            const answer = await (answering ?? resolve(question.id));
            await holding;
            const row = await find(question.id);
            const types = (await runs.types(run.id)).filter((type) => type === 'interaction.resolved');
            if (answer?.type === 'resolved') {
              expect(row).toMatchObject({ status: 'resolved', resolution: approval });
              expect(types).toHaveLength(1);
            } else {
              expect(answer).toEqual({ type: 'settled', row });
              expect(row?.status).toBe(how === 'finish' ? 'withdrawn' : 'expired');
              expect(types).toEqual([]);
            }
            const lastSeq = (await runs.types(run.id)).length;
            expect((await runs.find(run.id))?.lastSeq).toBe(lastSeq);
          }
        },
      );
    });
  });
}

const approval: ResolutionRow = { action: 'approve', actorId: 'act_1', scope: 'once' };

function pending(question: NewInteractionRow): InteractionRow {
  return { ...question, status: 'pending', resolvedAt: null, resolution: null };
}

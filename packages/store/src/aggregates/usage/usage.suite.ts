import { randomBytes } from 'node:crypto';
import { type ArtifactRow, type NewEvent, type NewRunLimits, newId, type UsageOwner } from '@executor/engine';
import { describe, expect, test } from 'vitest';
import { at, type Fixture, later } from '../../../test/fixture.ts';
import { created, endingOf, logged, oddText, questionOf, Runs, runOf } from '../../../test/runs.ts';

const plenty = { perKey: 1e12, agents: 1e12, total: 1e12 };

/** The counts of what owners keep. */
export function describeUsage(fixture: Fixture): void {
  describe('usage', () => {
    const agentRuns = async (label: string) => {
      const runs = new Runs(fixture.store, await fixture.newWorkspace(label));
      const { workspaceId } = runs;
      const owner = (ownerId: string): UsageOwner => ({ workspaceId, ownerId, kind: 'agent' });
      const agent = (ownerId: string) => ({ ownerId, principalKind: 'agent' as const });
      const usageOf = async (ownerId: string) =>
        (await fixture.store.usage.list(workspaceId)).find((row) => row.ownerId === ownerId);
      /** What is really stored, as a recount finds it. */
      const requireCounted = async () => {
        const before = await fixture.store.usage.list(workspaceId);
        await fixture.store.usage.recount(workspaceId);
        expect(before).toEqual(await fixture.store.usage.list(workspaceId));
      };
      return { runs, workspaceId, owner, agent, usageOf, requireCounted };
    };
    const artifactOf = (workspaceId: string, executionId: string, bytes: number): ArtifactRow => ({
      ...{ id: newId('art', at), workspaceId, executionId, mediaType: 'text/plain', name: null, bytes },
      createdAt: at,
    });
    const charge = (owner: UsageOwner, limit = plenty) => ({ ...owner, limit });

    test('counts the runs of each owner, what they write, and what is removed', async () => {
      const { runs, workspaceId, owner, agent, usageOf, requireCounted } = await agentRuns('counted');
      const { run, lease } = await runs.held(agent('key_a'));
      await runs.create({ type: 'queued' }, agent('key_b'));
      const empty = (await usageOf('key_a'))?.bytes ?? 0;
      expect(await usageOf('key_a')).toMatchObject({ kind: 'agent', runs: 1, questions: 0, auditRows: 0 });
      const { executions, artifacts } = fixture.store;
      await executions.append(lease, 1, { events: [logged('x'.repeat(10_000))] });
      expect((await usageOf('key_a'))?.bytes).toBe(empty);
      expect(await executions.append(lease, 2, { events: [], charge: plenty })).toEqual({
        seq: 2,
        isOverLimit: false,
      });
      const charged = (await usageOf('key_a'))?.bytes ?? 0;
      expect(charged - empty).toBeGreaterThan(10_000);
      await artifacts.put(
        artifactOf(workspaceId, run.id, 600_000),
        randomBytes(600_000),
        1e9,
        charge(owner('key_a')),
      );
      expect((await usageOf('key_a'))?.bytes).toBe(charged + 600_000);
      await executions.finish(lease, 3, endingOf({ result: `"${'y'.repeat(5_000)}"` }));
      expect((await usageOf('key_a'))?.bytes).toBeGreaterThan(charged + 605_000);
      await requireCounted();
      expect(await executions.removeFinished(workspaceId, later(60_000), 10)).toBe(1);
      expect(await usageOf('key_a')).toMatchObject({ runs: 0, bytes: 0 });
      expect(await usageOf('key_b')).toMatchObject({ runs: 1 });
    });

    test('refuses a run or an artifact beyond a limit, and counts nothing for it', async () => {
      const { runs, workspaceId, owner, agent, usageOf } = await agentRuns('limited');
      const { executions, artifacts } = fixture.store;
      const { run } = await runs.held(agent('key_a'));
      const before = await usageOf('key_a');
      const create = (limits: NewRunLimits, idempotencyKey: string | null = null) =>
        executions.create(
          runOf(runs.tenant, { ...agent('key_a'), idempotencyKey }),
          [created],
          { type: 'queued' },
          { limits },
        );
      const bytes = before?.bytes ?? 0;
      for (const limits of [
        { bytes: { ...plenty, perKey: bytes + 10 }, runs: plenty },
        { bytes: { ...plenty, agents: bytes + 10 }, runs: plenty },
        { bytes: { ...plenty, total: bytes + 10 }, runs: plenty },
        { bytes: plenty, runs: { ...plenty, perKey: 1 } },
      ]) {
        await expect(create(limits)).rejects.toMatchObject({ code: 'quotaExceeded' });
        await expect(create(limits, 'key')).rejects.toMatchObject({ code: 'quotaExceeded' });
      }
      const artifact = artifactOf(workspaceId, run.id, 1_000);
      const tight = charge(owner('key_a'), { ...plenty, perKey: bytes + 999 });
      expect(await artifacts.put(artifact, randomBytes(1_000), 1e9, tight)).toEqual({ type: 'overLimit' });
      expect(await usageOf('key_a')).toEqual(before);
      const first = await create({ bytes: plenty, runs: plenty }, 'key');
      expect(await create({ bytes: plenty, runs: { ...plenty, perKey: 1 } }, 'key')).toEqual({
        ...first,
        created: false,
      });
    });

    test('says when a journal exceeds the limit, and writes it nevertheless', async () => {
      const { runs, agent } = await agentRuns('over');
      const { run, lease } = await runs.held(agent('key_a'));
      const write = { events: [logged('x'.repeat(5_000))], charge: { ...plenty, perKey: 2_000 } };
      expect(await fixture.store.executions.append(lease, 1, write)).toEqual({ seq: 2, isOverLimit: true });
      expect(await fixture.store.executions.append(lease, 1, write)).toEqual({ seq: 2 });
      expect(await runs.types(run.id)).toHaveLength(2);
    });

    test('counts every write of concurrent runs of one owner', async () => {
      const { runs, agent, usageOf, requireCounted } = await agentRuns('concurrent');
      const held = await Promise.all(Array.from({ length: 8 }, () => runs.held(agent('key_a'))));
      await Promise.all(
        held.map(async ({ lease }) => {
          for (const batch of [1, 2, 3])
            await fixture.store.executions.append(lease, batch, {
              events: [logged('z'.repeat(3_000))],
              charge: plenty,
            });
          await fixture.store.executions.finish(lease, 4, endingOf());
        }),
      );
      expect(await usageOf('key_a')).toMatchObject({ runs: 8 });
      expect((await usageOf('key_a'))?.bytes).toBeGreaterThan(8 * 9_000);
      await requireCounted();
    });

    test('takes questions up to the limit, and gives them back when they are settled', async () => {
      const { runs, owner, agent, usageOf } = await agentRuns('asking');
      const { usage, executions, interactions } = fixture.store;
      const limit = { ...plenty, perKey: 3 };
      expect(await usage.take(owner('key_a'), 'questions', 1, limit)).toBe(true);
      const taken = await Promise.all(
        Array.from({ length: 6 }, () => usage.take(owner('key_a'), 'questions', 1, limit)),
      );
      expect(taken.filter(Boolean)).toHaveLength(2);
      await usage.recount(runs.workspaceId);
      expect((await usageOf('key_a'))?.questions).toBe(0);
      const { run, lease } = await runs.held(agent('key_a'));
      const questions = [0, 1, 2].map((callIndex) => questionOf(run, { callIndex, binding: `${callIndex}` }));
      for (const _ of questions) expect(await usage.take(owner('key_a'), 'questions', 1, limit)).toBe(true);
      expect(await usage.take(owner('key_a'), 'questions', 1, limit)).toBe(false);
      expect(await usage.take(owner('key_b'), 'questions', 1, limit)).toBe(true);
      expect(await usage.take(owner('key_c'), 'questions', 1, { ...limit, agents: 4 })).toBe(false);
      await executions.append(lease, 1, { events: [], ask: questions });
      const answer = {
        resolution: { action: 'deny', actorId: 'act_1' },
        at: later(1),
        identical: false,
      } as const;
      await interactions.resolve(runs.workspaceId, questions[0]?.id ?? '', answer, () => []);
      expect((await usageOf('key_a'))?.questions).toBe(2);
      await usage.recount(runs.workspaceId);
      expect((await usageOf('key_a'))?.questions).toBe(2);
      await executions.finish(lease, 2, endingOf());
      expect((await usageOf('key_a'))?.questions).toBe(0);
    });

    test('takes entries of the audit up to the limit of the day', async () => {
      const { workspaceId, owner, usageOf } = await agentRuns('audited');
      const take = (rows: number) =>
        fixture.store.usage.take(owner('key_a'), 'auditRows', rows, { ...plenty, perKey: 10 });
      expect([await take(8), await take(3), await take(2), await take(1)]).toEqual([
        true,
        false,
        true,
        false,
      ]);
      expect((await usageOf('key_a'))?.auditRows).toBe(10);
      await fixture.sql(
        `update stored_usage set audit_day = audit_day - 1 where workspace_id = '${workspaceId}'`,
      );
      expect((await usageOf('key_a'))?.auditRows).toBe(0);
      expect(await take(3)).toBe(true);
      expect((await usageOf('key_a'))?.auditRows).toBe(3);
    });

    test('deletes the payloads of the oldest finished runs of one owner, and leaves markers', async () => {
      const { runs, workspaceId, owner, agent, usageOf, requireCounted } = await agentRuns('pressed');
      const { executions, artifacts, usage } = fixture.store;
      const large = JSON.stringify(oddText.repeat(2_000));
      const path = `notes.${oddText}`;
      const events = (index: number): NewEvent[] => [
        { type: 'call.requested', index, path, input: large, inputHash: 'hash', at },
        {
          type: 'call.completed',
          index,
          deliveredAt: 1_763_208_000_123.5,
          result: { type: 'value', json: large },
          at,
        },
        { type: 'call.requested', index: index + 1, path, input: '{"small":1}', inputHash: 'hash', at },
        {
          ...{ type: 'call.completed', index: index + 1, deliveredAt: 7, at },
          result: { type: 'error', name: 'ToolDeniedError', message: large },
        } as NewEvent,
      ];
      const finished = async (ownerId: string, minutes: number) => {
        const { run, lease } = await runs.held(agent(ownerId));
        const artifact = artifactOf(workspaceId, run.id, 500_000);
        await artifacts.put(artifact, randomBytes(500_000), 1e9, charge(owner(ownerId)));
        await executions.append(lease, 1, { events: events(0) });
        await executions.finish(lease, 2, endingOf({ result: large, finishedAt: later(minutes * 60_000) }));
        return { run, artifact };
      };
      const newest = await finished('key_a', 9);
      const oldest = await finished('key_a', 1);
      const other = await finished('key_b', 0);
      const unfinished = await runs.held(agent('key_a'));
      await artifacts.put(
        artifactOf(workspaceId, unfinished.run.id, 500_000),
        randomBytes(500_000),
        1e9,
        charge(owner('key_a')),
      );
      const before = (await usageOf('key_a'))?.bytes ?? 0;
      expect(await usage.removePayloads(owner('key_a'), before, 'why')).toBe(0);
      expect(await usage.removePayloads(owner('key_a'), before - 1, `because ${oddText.slice(30)}`)).toBe(1);
      const removed = await runs.find(oldest.run.id);
      const hint = `because ${oddText.slice(30)}`;
      expect(removed).toMatchObject({
        result: null,
        omitted: { result: { shownBytes: 0, hint } },
        removed: { at: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/), hint },
      });
      const freed = removed?.removed?.bytes ?? 0;
      expect(freed).toBeGreaterThan(500_000 + 2 * Buffer.byteLength(large));
      expect((await usageOf('key_a'))?.bytes).toBe(before - freed);
      expect((await artifacts.read(oldest.artifact.id)).length).toBe(0);
      expect(await artifacts.find(workspaceId, oldest.artifact.id)).toEqual(oldest.artifact);
      const [, ...kept] = await executions.events(oldest.run.id, { afterSeq: 0, limit: 10 });
      const marker = { bytes: expect.any(Number), hint };
      const [request, , small] = events(0);
      expect(kept.slice(0, 4)).toEqual([
        { seq: 2, ...request, input: 'null', removed: marker },
        {
          ...{ seq: 3, at, type: 'call.completed', index: 0, deliveredAt: 1_763_208_000_123.5 },
          ...{ result: { type: 'value', json: 'null' }, removed: marker },
        },
        { seq: 4, ...small },
        {
          ...{ seq: 5, at, type: 'call.completed', index: 1, deliveredAt: 7 },
          ...{ result: { type: 'error', name: 'ToolDeniedError', message: hint }, removed: marker },
        },
      ]);
      for (const { run, artifact } of [newest, other]) {
        expect(await runs.find(run.id)).toMatchObject({ removed: null, result: large });
        expect((await artifacts.read(artifact.id)).length).toBe(500_000);
      }
      expect(await usage.removePayloads(owner('key_a'), 0, 'all of it')).toBe(1);
      expect(await usage.removePayloads(owner('key_a'), 0, 'all of it')).toBe(0);
      expect((await usageOf('key_a'))?.bytes).toBeGreaterThan(500_000);
      expect(await runs.find(other.run.id)).toMatchObject({ removed: null });
      await requireCounted();
    });
  });
}

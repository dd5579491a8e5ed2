import { randomBytes } from 'node:crypto';
import { type ArtifactRow, newId } from '@executor/engine';
import { beforeAll, describe, expect, test } from 'vitest';
import { at, type Fixture, later } from '../../test/fixture.ts';
import { endingOf, oddText, Runs } from '../../test/runs.ts';

const plenty = 1_000_000_000;

export function describeArtifacts(fixture: Fixture): void {
  describe('artifacts', () => {
    let runs: Runs;
    beforeAll(async () => {
      runs = new Runs(fixture.store, await fixture.newWorkspace('artifacts'));
    });
    const artifactOf = (executionId: string, bytes: number): ArtifactRow => ({
      id: newId('art', at),
      workspaceId: runs.workspaceId,
      executionId,
      mediaType: `text/${oddText}`,
      name: oddText,
      bytes,
      createdAt: at,
    });

    test.each([0, 1, 256 * 1024, 256 * 1024 + 1, 5_000_000])(
      'of %d bytes can be read whole and in parts',
      async (size) => {
        const { run } = await runs.held();
        const content = new Uint8Array(randomBytes(size));
        const artifact = artifactOf(run.id, size);
        const { artifacts } = fixture.store;
        await artifacts.put(artifact, content, plenty);
        expect(await artifacts.find(runs.workspaceId, artifact.id)).toEqual(artifact);
        expect(Buffer.compare(await artifacts.read(artifact.id), content)).toBe(0);
        const edge = 256 * 1024;
        for (const [offset, length] of [
          [0, 1],
          [edge - 1, 2],
          [edge, 10],
          [100, edge * 2],
          [size, 5],
          [size + edge, 1],
          [0, 0],
        ] as const) {
          const part = await artifacts.read(artifact.id, { offset, length });
          expect(Buffer.compare(part, content.subarray(offset, offset + length))).toBe(0);
        }
      },
    );

    test('do not change when they are put again', async () => {
      const { run } = await runs.held();
      const artifact = artifactOf(run.id, 3);
      await fixture.store.artifacts.put(artifact, Buffer.from('one'), plenty);
      await fixture.store.artifacts.put(
        { ...artifact, name: 'other', bytes: 5 },
        Buffer.from('other'),
        plenty,
      );
      expect(await fixture.store.artifacts.find(runs.workspaceId, artifact.id)).toEqual(artifact);
      expect(Buffer.from(await fixture.store.artifacts.read(artifact.id)).toString()).toBe('one');
    });

    test('are limited per run: one that exceeds the limit is refused and the others are kept', async () => {
      const { run } = await runs.held();
      const [one, two] = [artifactOf(run.id, 3), artifactOf(run.id, 300_000)];
      const { artifacts } = fixture.store;
      expect(await artifacts.put(one, Buffer.from('one'), 3)).toMatchObject({ type: 'kept', artifact: one });
      for (const maxBytes of [300_002, 0]) {
        expect(await artifacts.put(two, randomBytes(300_000), maxBytes)).toEqual({ type: 'full', taken: 3 });
      }
      expect(await artifacts.find(runs.workspaceId, two.id)).toBeUndefined();
      expect(await artifacts.put(one, Buffer.from('one'), 0)).toMatchObject({ type: 'kept', artifact: one });
      expect(await artifacts.put(two, randomBytes(300_000), 300_003)).toMatchObject({ type: 'kept' });
    });

    test('are found only in their own workspace, and unknown ones are empty', async () => {
      const { run } = await runs.held();
      const [one, two] = [artifactOf(run.id, 3), artifactOf(run.id, 4)];
      await fixture.store.artifacts.put({ ...one, name: null }, Buffer.from('one'), plenty);
      await fixture.store.artifacts.put(two, Buffer.from('four'), plenty);
      expect((await fixture.store.artifacts.find(runs.workspaceId, one.id))?.name).toBeNull();
      const other = await fixture.newWorkspace('other');
      expect(await fixture.store.artifacts.find(other.workspace.id, one.id)).toBeUndefined();
      expect(await fixture.store.artifacts.read('art_none')).toEqual(new Uint8Array());
    });

    test('are deleted with their run', async () => {
      const ownRuns = new Runs(fixture.store, await fixture.newWorkspace('gone'));
      const { run, lease } = await ownRuns.held();
      const artifact = { ...artifactOf(run.id, 600_000), workspaceId: ownRuns.workspaceId };
      await fixture.store.artifacts.put(artifact, randomBytes(600_000), plenty);
      await fixture.store.executions.finish(lease, 1, endingOf());
      const chunks = await fixture.count('artifact_chunks');
      expect(await fixture.store.executions.removeFinished(ownRuns.workspaceId, later(60_000), 10)).toBe(1);
      expect(await fixture.store.artifacts.find(ownRuns.workspaceId, artifact.id)).toBeUndefined();
      expect(await fixture.count('artifact_chunks')).toBe(chunks - 3);
      await expect(fixture.store.artifacts.put(artifact, Buffer.from('x'), plenty)).rejects.toMatchObject({
        code: '23503',
      });
    });
  });
}

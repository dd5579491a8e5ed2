import { afterAll, beforeAll, expect, test } from 'vitest';
import { TestEngine } from '../../../test/test-engine.ts';
import { systemClock } from '../../clock.ts';
import { Retention } from './retention.ts';

const dayMs = 24 * 3_600_000;
let host: TestEngine;
beforeAll(async () => {
  host = await TestEngine.start();
});
afterAll(() => host.close());

/** Retention with a clock that is ahead by a number of days. */
function after(days: number): Retention {
  const clock = { ...systemClock, now: () => new Date(Date.now() + days * dayMs) };
  return new Retention({ store: host.store, workspaces: host.engine.workspaces, clock });
}

test('Finished runs are deleted after 30 days with their events and artifacts; waiting runs are kept', async () => {
  const done = await host.run('console.log(1); return tools.executor.artifacts.put({ text: "x" })');
  const { id: artifactId } = done.result as { id: string };
  const artifact = () => host.store.artifacts.find(host.owner.workspaceId, artifactId);
  expect(await artifact()).toBeDefined();
  const waiting = await host.run('return tools.notes.add({ text: "for ever" })');
  await after(29).removeOld();
  expect(await host.get(done.id)).toMatchObject({ status: 'completed' });
  await after(31).removeOld();
  await expect(host.get(done.id)).rejects.toMatchObject({ code: 'notFound' });
  expect(await host.store.executions.events(done.id, { afterSeq: 0, limit: 10 })).toEqual([]);
  expect(await artifact()).toBeUndefined();
  expect(await host.get(waiting.id)).toMatchObject({ status: 'waiting' });
});

test('The retention period of the workspace replaces the default', async () => {
  await host.engine.workspaces.changeSettings(host.owner, { retentionDays: 90 });
  const done = await host.run('return 1');
  await after(80).removeOld();
  expect(await host.get(done.id)).toMatchObject({ status: 'completed' });
  await after(91).removeOld();
  await expect(host.get(done.id)).rejects.toMatchObject({ code: 'notFound' });
});

test('Events of sources are deleted like runs, and the audit is kept', async () => {
  const { workspaceId } = host.owner;
  const document = JSON.stringify({ title: 'Shop', tools: [{ name: 'list' }] });
  const { id } = await host.engine.sources.add(host.owner, { document });
  const sourceEvents = async () => {
    const rows = await host.store.executions.feed(workspaceId, { limit: 100 });
    return rows.filter(({ sourceId }) => sourceId === id);
  };
  await after(80).removeOld();
  expect(await sourceEvents()).toHaveLength(1);
  await after(91).removeOld();
  expect(await sourceEvents()).toEqual([]);
  expect(await host.engine.sources.refresh(host.owner, id)).toMatchObject({ unchanged: true });
  const { items } = await host.store.audit.list(workspaceId, { limit: 1 });
  expect(items).toMatchObject([{ action: 'source.added', target: id }]);
});

test('Vectors of texts that nobody has used for 30 days are deleted', async () => {
  const { vectors } = host.store;
  await vectors.save('model', new Map(['old', 'new'].map((hash) => [hash, Int8Array.of(1)])));
  await host.database.query(
    {
      name: 'age-vector',
      text: `update text_vectors set used_at = now() - interval '31 days' where hash = 'old'`,
    },
    [],
  );
  await after(0).removeOld();
  expect([...(await vectors.find('model', ['old', 'new'])).keys()]).toEqual(['new']);
});

import type { PolicyRow, Store, StoreChange } from '@executor/engine';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { startPostgres } from '../../../../scripts/test-postgres.ts';
import { at, entry, Fixture, linkOf, redemptionOf } from '../../test/fixture.ts';
import { dispatched, longMs, Runs } from '../../test/runs.ts';
import { sourceOf } from '../../test/sources.ts';
import { assets, openTestPostgres, type TestStore } from '../../test/test-database.ts';
import { describeLateCommits } from '../aggregates/executions/executions-in-sql.suite.ts';
import { createStore, openStore } from '../open-store.ts';
import { openPostgres } from './open.ts';

const patience = { timeout: 30_000, interval: 20 };

describe('several processes on one Postgres', () => {
  let opened: TestStore;
  let other: Store;
  beforeAll(async () => {
    opened = await openTestPostgres();
    other = createStore(openPostgres({ url: opened.url ?? '', onProblem: () => {} }));
  });
  afterAll(async () => {
    await other?.close();
    await opened?.close();
  });
  const fixture = new Fixture(() => opened);

  describeLateCommits(fixture);

  test('get notices of all changes, and of their own once', async () => {
    const runs = new Runs(fixture.store, await fixture.newWorkspace('heard'));
    const theirs = new Runs(other, runs.tenant);
    const [here, there] = [heardBy(fixture.store), heardBy(other)];
    await hearing(runs, there);
    await hearing(theirs, here);
    const { run, lease } = await runs.held();
    const own = { type: 'execution', workspaceId: runs.workspaceId, executionId: run.id };
    for (const batch of [1, 2, 3]) {
      await fixture.store.executions.append(lease, batch, { events: [dispatched(batch)] });
    }
    const { run: last } = await theirs.held();
    const isLast = (change: StoreChange) => change.type === 'execution' && change.executionId === last.id;
    await vi.waitUntil(() => here.some(isLast) && there.some((change) => matches(change, own)), patience);
    expect(here.filter((change) => matches(change, own))).toHaveLength(4);
  });

  test('get notices of changed sources', async () => {
    const tenant = await fixture.newWorkspace('sources');
    const [runs, there] = [new Runs(fixture.store, tenant), heardBy(other)];
    await hearing(runs, there);
    const row = sourceOf(tenant.workspace.id, 'api');
    await fixture.store.sources.create(
      row,
      { tools: [Buffer.from('x')], document: [], files: [] },
      entry(tenant.workspace.id),
    );
    const known = { type: 'sources', workspaceId: tenant.workspace.id };
    await vi.waitUntil(() => there.some((change) => matches(change, known)), patience);
    expect(await other.sources.revisions(tenant.workspace.id)).toEqual([{ id: row.id, revision: 1 }]);
    expect(await other.sources.readTools(row.contentId)).toEqual([Buffer.from('x')]);
  });

  test('ignore messages of other programs on the same channel', async () => {
    const runs = new Runs(fixture.store, await fixture.newWorkspace('disturbed'));
    const there = heardBy(other);
    await hearing(runs, there);
    const notices = [
      null,
      7,
      {},
      { type: 'toString' },
      { type: 'execution' },
      { type: 'new', workspaceId: 'w' },
    ];
    const known = { type: 'policies', workspaceId: 'ws_of_another' };
    const payloads = ['nonsense', '', 'null', '7', '[]', '{"sender":"x"}', '{"sender":"x","notices":7}'];
    const partly = JSON.stringify({ sender: 'x', notices: [...notices, known] });
    const before = there.length;
    for (const payload of [...payloads, partly])
      await fixture.run({ text: `select pg_notify('executor_changes', $1)`, values: [payload] });
    await vi.waitUntil(() => there.some((change) => matches(change, known)), patience);
    const fromOthers = there
      .slice(before)
      .filter((change) => !matches(change, { workspaceId: runs.workspaceId }));
    expect(fromOthers).toEqual([known]);
    await hearing(runs, there);
  });

  test('accept the sign-in links of each other while both run', async () => {
    const tenant = await fixture.newWorkspace('links');
    const ending = createStore(openPostgres({ url: opened.url ?? '', onProblem: () => {} }));
    const stopListening = ending.subscribe(() => {});
    const create = async (store: Store, label: string) => {
      const link = linkOf(tenant, label);
      await store.sessions.createLink(link, entry(link.workspaceId));
      return link.codeHash;
    };
    const redeem = (codeHash: string, label: string) =>
      other.sessions.redeem(redemptionOf(codeHash, label, at), () => entry(tenant.workspace.id));
    // A process holds its lock as soon as it hears of changes.
    await vi.waitUntil(async () => {
      const codeHash = await create(ending, `link-${Math.random()}`);
      return (await redeem(codeHash, codeHash)) !== undefined;
    }, patience);
    const late = await create(ending, 'late');
    stopListening();
    await ending.close();
    // Postgres notices the closed connection a moment later.
    const held = `select 1 from pg_locks, sessions where locktype = 'advisory' and code_hash = '${late}'
      and (classid::bigint << 32 | objid::bigint) = hashtextextended(process_id, 0)`;
    await vi.waitUntil(async () => (await fixture.sql(held)).rows.length === 0, patience);
    expect(await redeem(late, 'late')).toBeUndefined();
  });

  test('get notices of changed policies', async () => {
    const { workspace } = await fixture.newWorkspace('ruled');
    const there = heardBy(other);
    const runs = new Runs(fixture.store, await fixture.newWorkspace('heard before'));
    await hearing(runs, there);
    await fixture.store.policies.remove(workspace.id, 'pol_none', entry(workspace.id));
    const at = new Date();
    const policy: PolicyRow = {
      ...{ id: 'pol_1', workspaceId: workspace.id, scope: { type: 'workspace' }, pattern: '**' },
      ...{ conditions: [], decision: 'allow', createdBy: 'a', createdAt: at, updatedAt: at },
    };
    await fixture.store.policies.create(policy, entry(workspace.id));
    const changed = { type: 'policies', workspaceId: workspace.id };
    await vi.waitUntil(() => there.some((change) => matches(change, changed)), patience);
  });

  test('wake each other at once, without waiting for the next poll', async () => {
    const runs = new Runs(fixture.store, await fixture.newWorkspace('woken'));
    const woken: string[] = [];
    const receiver = await other.receiveWakeUps(async (ids) => {
      woken.push(...ids);
    });
    onTestFinished(() => receiver.stop());
    for (let round = 0; round < 3; round++) {
      const { id } = await runs.create({ type: 'queued' });
      await vi.waitUntil(() => woken.includes(id), patience);
    }
  });
});

test('notices and wake-ups resume after a database outage without a restart', async () => {
  const server = await startPostgres();
  onTestFinished(() => server.remove());
  const open = () => openStore({ databaseUrl: server.url, folder: '', assets, onProblem: () => {} });
  const [one, two] = [await open(), await open()];
  onTestFinished(async () => {
    await Promise.all([one.close(), two.close()]);
  });
  const account = {
    ...{
      installationId: 'ins_1',
      organization: { id: 'org_1', name: 'O' },
      workspace: { id: 'ws_1', name: 'W' },
    },
    ...{ actor: { id: 'act_1', name: 'A' }, at: new Date() },
  };
  await one.installations.provision(account, entry('ws_1'));
  const runs = new Runs(one, { workspace: { id: 'ws_1' }, actor: { id: 'act_1' } });
  const heard = heardBy(two);
  const woken: string[] = [];
  const receiver = await two.receiveWakeUps(async (ids) => {
    woken.push(...ids);
  });
  onTestFinished(() => receiver.stop());
  await hearing(runs, heard);
  const before = await runs.create({ type: 'queued' });
  await vi.waitUntil(() => woken.includes(before.id), patience);

  const { lease } = await runs.held();
  const wakeAt = new Date(Date.now() + 1_000);
  await one.executions.release(lease, { status: 'waiting', knownSeq: 1, wakeAt });
  await server.stop();
  await expect(one.executions.lease(lease.id, 'w', longMs)).rejects.toMatchObject({
    code: 'databaseUnavailable',
  });
  await new Promise((resolve) => setTimeout(resolve, 3_000));
  await server.start();
  await vi.waitUntil(() => one.isAvailable() && two.isAvailable(), patience);
  await vi.waitUntil(() => woken.includes(lease.id), patience);
  const after = await runs.create({ type: 'queued' });
  await vi.waitUntil(() => woken.includes(after.id), patience);
  await hearing(runs, heard);
}, 60_000);

function heardBy(store: Store): StoreChange[] {
  const heard: StoreChange[] = [];
  onTestFinished(store.subscribe((change) => heard.push(change)));
  return heard;
}

/** Listening begins with a delay, so this repeats a change until it is received. */
async function hearing(runs: Runs, heard: StoreChange[]): Promise<void> {
  const from = heard.length;
  await vi.waitUntil(async () => {
    const { run } = await runs.held();
    const own = { type: 'execution', workspaceId: runs.workspaceId, executionId: run.id };
    await new Promise((resolve) => setTimeout(resolve, 20));
    return heard.slice(from).some((change) => matches(change, own));
  }, patience);
}

function matches(change: StoreChange, expected: object): boolean {
  return Object.entries(expected).every(([name, value]) => change[name as keyof StoreChange] === value);
}

import { type NewEvent, newId, type Store } from '@executor/engine';
import { resolveFolders } from '@executor/home';
import { openStore } from '@executor/store';
import { testAssets } from './assets.ts';
import { packages } from './role-process.ts';
import type { World } from './world.ts';

const owner = 'crowd';
const ttlMs = 3_600_000;
const batchSize = 50;

/**
 * Creates many waiting runs as copies of one that a real daemon has created. No process may have the database open meanwhile. Returns
 * the ids of their questions by the ids of the runs.
 */
export async function makeCrowd(world: World, modelId: string, count: number): Promise<Map<string, string>> {
  const folder = resolveFolders({ EXECUTOR_HOME: world.home }).data;
  const store = await openStore({ folder, assets: testAssets(packages).store, onProblem: () => {} });
  try {
    const model = await readModel(store, modelId);
    const crowd = new Map<string, string>();
    for (let made = 0; made < count; made += batchSize) {
      const part = Array.from({ length: Math.min(batchSize, count - made) }, () => copy(store, model));
      for (const { executionId, interactionId } of await Promise.all(part))
        crowd.set(executionId, interactionId);
    }
    return crowd;
  } finally {
    await store.close();
  }
}

type Model = Awaited<ReturnType<typeof readModel>>;

async function readModel(store: Store, id: string) {
  const installation = await store.installations.find();
  const execution = await store.executions.find(installation?.owner.workspaceId ?? '', id);
  const [question] = await store.interactions.pendingOf(id);
  if (!execution || !question) throw new Error('The model run has no pending question.');
  const events = await store.executions.events(id, { afterSeq: 0, limit: 1_000 });
  return { execution, question, events };
}

async function copy(store: Store, { execution, question, events }: Model) {
  const at = new Date();
  const [executionId, interactionId] = [newId('exe', at), newId('int', at)];
  const own = (event: NewEvent): NewEvent =>
    event.type === 'interaction.requested' ? { ...event, interactionId } : event;
  const [created, ...others] = events.map(({ seq: _, ...event }) => own(event as NewEvent));
  const row = { ...execution, id: executionId, idempotencyKey: null, createdAt: at };
  await store.executions.create(row, [created as NewEvent], { type: 'leased', owner, ttlMs });
  const lease = { id: executionId, owner, epoch: 1 };
  const ask = [{ ...question, id: interactionId, executionId }];
  const { seq } = await store.executions.append(lease, 1, { events: others, status: 'waiting', ask });
  await store.executions.release(lease, { status: 'waiting', knownSeq: seq });
  return { executionId, interactionId };
}

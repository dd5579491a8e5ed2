import type { Store } from '@executor/engine';
import { artifactStore } from './aggregates/artifacts.ts';
import { auditStore } from './aggregates/audit.ts';
import { deliveryStore } from './aggregates/deliveries.ts';
import { executionStore } from './aggregates/executions/executions.ts';
import { apiKeyStore } from './aggregates/identity/api-keys.ts';
import { installationStore } from './aggregates/identity/installations.ts';
import { presenceStore } from './aggregates/identity/presence.ts';
import { sessionStore } from './aggregates/identity/sessions.ts';
import { workspaceStore } from './aggregates/identity/workspaces.ts';
import { interactionStore } from './aggregates/interactions/interactions.ts';
import { policyStore } from './aggregates/policies.ts';
import { sourceStore } from './aggregates/sources.ts';
import { usageStore } from './aggregates/usage/usage.ts';
import { vectorStore } from './aggregates/vectors.ts';
import { workerStore } from './aggregates/workers.ts';
import { Changes } from './changes/changes.ts';
import type { Database } from './database.ts';
import { migrate } from './migrate.ts';
import { openPglite } from './pglite/open.ts';
import { openPostgres } from './postgres/open.ts';
import { WakeUps } from './wake-ups/wake-ups.ts';

/** Files that the build writes beside the program. */
export interface StoreAssets {
  migrations: URL;
  pgliteWorker: URL;
  pgliteSnapshot: URL;
}

export interface StoreOptions {
  /** A Postgres URL. Without one, the embedded database in `folder` is used. */
  databaseUrl?: string | undefined;
  folder: string;
  assets: StoreAssets;
  /** Called when the database goes away or comes back. */
  onProblem(message: string, details: Record<string, unknown>): void;
}

/** Opens the database and updates its schema. */
export async function openStore(options: StoreOptions): Promise<Store> {
  return createStore(await openDatabase(options));
}

/** Opens and migrates the database of a store. */
export async function openDatabase(options: StoreOptions): Promise<Database> {
  const database = await connect(options);
  try {
    await migrate(database, options.assets.migrations);
  } catch (error) {
    await database.close();
    throw error;
  }
  return database;
}

export function createStore(database: Database): Store {
  const changes = new Changes(database);
  const wakeUps = new WakeUps(database, changes);
  const parts = { database, changes, wakeUps };
  return {
    kind: database.kind,
    installations: installationStore(database),
    workspaces: workspaceStore(database),
    apiKeys: apiKeyStore(parts),
    sessions: sessionStore(parts),
    executions: executionStore(parts),
    interactions: interactionStore(parts),
    deliveries: deliveryStore(database, changes),
    policies: policyStore(database, changes),
    artifacts: artifactStore(database),
    sources: sourceStore(database, changes),
    workers: workerStore(database),
    presence: presenceStore(database),
    audit: auditStore(database),
    usage: usageStore(database),
    vectors: vectorStore(database),
    subscribe: (listener) => changes.subscribe(listener),
    tell: (notice) => changes.tell(notice),
    receiveWakeUps: (wake) => wakeUps.receive(wake),
    shareTurns: (turns) => database.shareTurns(turns),
    disk: () => database.disk(),
    isAvailable: () => database.isAvailable(),
    async close() {
      await wakeUps.close();
      await changes.close();
      await database.close();
    },
  };
}

async function connect({ databaseUrl, folder, assets, onProblem }: StoreOptions): Promise<Database> {
  if (databaseUrl !== undefined) return openPostgres({ url: databaseUrl, onProblem });
  return openPglite({ folder, worker: assets.pgliteWorker, snapshot: assets.pgliteSnapshot, onProblem });
}

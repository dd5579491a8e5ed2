import type { ExecutionStore } from '../../src/ports/execution-store.ts';
import type { InteractionStore } from '../../src/ports/interaction-store.ts';
import type { Store, StoreChange } from '../../src/ports/store.ts';
import { ModelExecutions } from './model-executions.ts';
import { ModelInteractions } from './model-interactions.ts';
import type { ModelTables } from './model-tables.ts';
import { type Immediate, overWire } from './over-wire.ts';

export interface ModelAggregates {
  executions: Immediate<ExecutionStore>;
  interactions: Immediate<InteractionStore>;
}

export function modelAggregates(tables: ModelTables): ModelAggregates {
  return { executions: new ModelExecutions(tables), interactions: new ModelInteractions(tables) };
}

export interface Ends {
  kind: Store['kind'];
  send(label: string, run: () => unknown): Promise<unknown>;
  subscribe(listener: (change: StoreChange) => void): () => void;
  receiveWakeUps: Store['receiveWakeUps'];
}

/** The store of one process, with only the parts that workers use. */
export function modelStore(
  { executions, interactions }: ModelAggregates,
  { kind, send, subscribe, receiveWakeUps }: Ends,
): Store {
  const store: Partial<Store> = {
    kind,
    executions: overWire<ExecutionStore>(executions, send),
    interactions: overWire<InteractionStore>(interactions, send),
    workspaces: overWire<Store['workspaces']>(workspaces, send),
    workers: overWire<Store['workers']>(workers, send),
    usage: overWire<Store['usage']>(usage, send),
    subscribe,
    receiveWakeUps,
    isAvailable: () => true,
    close: async () => {},
  };
  return store as Store;
}

const workspaces: Immediate<Store['workspaces']> = {
  describe: () => undefined,
  ids: () => [workspaceId],
  settings: () => ({}),
  change: () => {},
};

/** A simulation stores little. */
const usage: Immediate<Store['usage']> = {
  list: () => [],
  take: () => true,
  giveBack: () => {},
  removePayloads: () => 0,
  recount: () => {},
};

const workers: Immediate<Store['workers']> = { announce: () => {}, remove: () => {}, list: () => [] };

export const workspaceId = 'ws_1';

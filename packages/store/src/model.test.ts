import { newId } from '@executor/engine';
import { describe } from 'vitest';
import { modelAggregates, modelStore } from '../../engine/test/simulation/model-store.ts';
import { ModelTables } from '../../engine/test/simulation/model-tables.ts';
import { at } from '../test/fixture.ts';
import type { RunFixture } from '../test/runs.ts';
import { describeExecutions } from './aggregates/executions/executions.suite.ts';
import { describeInteractions } from './aggregates/interactions/interactions.suite.ts';

/** The model on which the engine is simulated must behave like the store. */
describe('the model of the store that runs are simulated on', () => {
  let now = Date.now();
  const outlets = { now: () => now, changed() {}, wake() {}, committed() {} };
  const store = modelStore(modelAggregates(new ModelTables(outlets)), {
    kind: 'postgres',
    send: async (_, run) => run(),
    subscribe: () => () => {},
    receiveWakeUps: async () => ({ stop: async () => {} }),
  });
  const fixture: RunFixture = {
    store,
    newWorkspace: async () => ({ workspace: { id: newId('ws', at) }, actor: { id: newId('act', at) } }),
    passTime: async (milliseconds) => {
      now += milliseconds;
    },
    now: () => new Date(now),
  };
  describeExecutions(fixture);
  describeInteractions(fixture);
});

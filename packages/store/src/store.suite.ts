import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Fixture } from '../test/fixture.ts';
import type { TestStore } from '../test/test-database.ts';
import { describeArtifacts } from './aggregates/artifacts.suite.ts';
import { describeAudit } from './aggregates/audit.suite.ts';
import { describeDeliveries } from './aggregates/deliveries.suite.ts';
import { describeCallOutcomes } from './aggregates/executions/call-outcomes.suite.ts';
import { describeExecutions } from './aggregates/executions/executions.suite.ts';
import { describeExecutionsInSql } from './aggregates/executions/executions-in-sql.suite.ts';
import { describeApiKeys } from './aggregates/identity/api-keys.suite.ts';
import { describeInstallations } from './aggregates/identity/installations.suite.ts';
import { describePresence } from './aggregates/identity/presence.suite.ts';
import { describeSessions } from './aggregates/identity/sessions.suite.ts';
import { describeWorkspaces } from './aggregates/identity/workspaces.suite.ts';
import { describeInteractions } from './aggregates/interactions/interactions.suite.ts';
import { describeResolutions } from './aggregates/interactions/resolutions.suite.ts';
import { describePolicies } from './aggregates/policies.suite.ts';
import { describeSources } from './aggregates/sources.suite.ts';
import { describeUsage } from './aggregates/usage/usage.suite.ts';
import { describeVectors } from './aggregates/vectors.suite.ts';
import { describeWorkers } from './aggregates/workers.suite.ts';
import { describeChanges } from './changes/changes.suite.ts';
import { describeWakeUps } from './wake-ups/wake-ups.suite.ts';

/** The contract of every store. */
export function describeStore(name: string, open: () => Promise<TestStore>): void {
  describe(`the store on ${name}`, () => {
    let opened: TestStore;
    beforeAll(async () => {
      opened = await open();
    });
    afterAll(() => opened?.close());

    const fixture = new Fixture(() => opened);
    describeInstallations(fixture);
    describeWorkspaces(fixture);
    describeApiKeys(fixture);
    describeSessions(fixture);
    describeExecutions(fixture);
    describeInteractions(fixture);
    describeResolutions(fixture);
    describeDeliveries(fixture);
    describePolicies(fixture);
    describeArtifacts(fixture);
    describeUsage(fixture);
    describeSources(fixture);
    describeVectors(fixture);
    describeWorkers(fixture);
    describePresence(fixture);
    describeExecutionsInSql(fixture);
    describeCallOutcomes(fixture);
    describeChanges(fixture);
    describeWakeUps(fixture);
    describeAudit(fixture);

    test('knows that its database answers', () => {
      expect(opened.store.isAvailable()).toBe(true);
    });
  });
}

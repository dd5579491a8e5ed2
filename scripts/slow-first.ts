import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * The test files that take longest, in seconds on two quiet cores. Other files take `otherSeconds` on average.
 * `npm test` ends with a list of the slowest files: update this table from it when the order changes.
 */
const slowSeconds: Record<string, number> = {
  'packages/server/src/mixed.attack.test.ts': 45,
  'packages/server/src/crash-cause.attack.test.ts': 40,
  'packages/server/src/answers/answers.attack.test.ts': 35,
  'packages/sandboxes/src/quickjs/pool/neighbours.attack.test.ts': 35,
  'packages/server/src/connection/connections.attack.test.ts': 30,
  'packages/server/src/chaos-postgres.test.ts': 40,
  'packages/server/src/chaos.test.ts': 33,
  'packages/store/src/store.test.ts': 29,
  'apps/cli/test/docs.test.ts': 26,
  'apps/cli/test/daemon.test.ts': 25,
  'apps/cli/test/runs.test.ts': 22,
  'apps/cli/test/mcp.test.ts': 20,
  'packages/sandboxes/src/quickjs/attacks.test.ts': 19,
  'apps/web/test/approvals.test.ts': 19,
  'packages/store/src/pglite/refusing-disk.test.ts': 17,
  'packages/server/src/mcp/endpoint.test.ts': 12,
  'apps/cli/test/roles.test.ts': 12,
  'apps/web/test/sign-in.test.ts': 11,
  'packages/engine/src/execution/run/simulation.test.ts': 11,
  'packages/server/src/chaos-daemon.test.ts': 10,
  'apps/web/test/server-away.test.ts': 10,
  'packages/server/src/http/executions.test.ts': 9,
  'packages/sandboxes/src/quickjs/pool/hostile-lane.test.ts': 9,
  'packages/store/src/pglite/open.test.ts': 9,
  'packages/server/src/mcp/dialog/dialogs.test.ts': 9,
  'apps/cli/test/answer.test.ts': 8,
  'apps/cli/test/commands.test.ts': 8,
  'packages/sources/src/reader/load-document.test.ts': 8,
  'packages/store/src/postgres/processes.test.ts': 8,
  'packages/store/src/pglite/power-cut.test.ts': 8,
  'apps/web/test/questions.test.ts': 7,
  'packages/engine/src/execution/executions.test.ts': 7,
  'packages/sandboxes/src/quickjs/pool/pool.test.ts': 7,
  'packages/store/src/postgres/open.test.ts': 7,
  'packages/engine/src/source/sources.test.ts': 7,
  'apps/cli/test/connect.test.ts': 6,
  'packages/server/src/http/presence.test.ts': 5,
  'apps/web/test/foreign-page.test.ts': 5,
  'packages/sandboxes/src/quickjs/pool/processes.test.ts': 5,
  'packages/engine/src/execution/call/approvals.test.ts': 5,
  'apps/cli/test/process.test.ts': 5,
};
const otherSeconds = 1;

export function secondsOf(file: string): number {
  const path = Object.keys(slowSeconds).find((slow) => file.endsWith(slow));
  return path === undefined ? otherSeconds : (slowSeconds[path] as number);
}

/** Starts slow files first, so that no slow file runs alone at the end. */
export default class SlowFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    return sorted.toSorted((one, other) => secondsOf(other.moduleId) - secondsOf(one.moduleId));
  }
}

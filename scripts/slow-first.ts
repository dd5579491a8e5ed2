import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * The test files that take longest, in seconds on two quiet cores. Files that are not listed take less than `otherSeconds`.
 * `npm test` ends with a list of the slowest files: update this table from it when the order changes.
 */
const slowSeconds: Record<string, number> = {
  'apps/cli/test/runs.test.ts': 49,
  'apps/cli/test/mcp.test.ts': 47,
  'apps/cli/test/postgres.test.ts': 44,
  'packages/server/src/chaos.test.ts': 41,
  'apps/cli/test/daemon.test.ts': 37,
  'packages/server/src/chaos-postgres.test.ts': 36,
  'apps/cli/test/docs.test.ts': 34,
  'packages/server/src/main.test.ts': 31,
  'packages/store/src/store.test.ts': 30,
  'packages/server/src/chaos-daemon.test.ts': 30,
  'apps/web/test/approvals.test.ts': 30,
  'apps/cli/test/commands.test.ts': 30,
  'apps/cli/test/connect.test.ts': 30,
  'apps/cli/test/roles.test.ts': 25,
  'apps/web/test/questions.test.ts': 25,
  'packages/engine/src/execution/executions.test.ts': 25,
  'packages/sources/src/openapi/wire.test.ts': 25,
  'apps/cli/test/sources.test.ts': 25,
  'packages/sandboxes/src/quickjs/attacks.test.ts': 20,
  'packages/sandboxes/src/quickjs/pool/pool.test.ts': 20,
  'packages/sandboxes/src/quickjs/pool/hostile-lane.test.ts': 20,
  'packages/store/src/pglite/refusing-disk.test.ts': 20,
  'packages/sources/src/openapi/reader/malformed.test.ts': 20,
  'apps/web/test/server-away.test.ts': 20,
  'apps/web/test/sign-in.test.ts': 20,
  'apps/cli/test/answer.test.ts': 20,
};
const otherSeconds = 4;

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

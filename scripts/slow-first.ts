import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** The files that take longest, the longest first. */
const slow = [
  'packages/server/src/chaos.test.ts',
  'apps/cli/test/runs.test.ts',
  'apps/cli/test/daemon.test.ts',
  'packages/sandboxes/src/quickjs/attacks.test.ts',
  'apps/cli/test/mcp.test.ts',
  'apps/web/test/approvals.test.ts',
  'apps/cli/test/docs.test.ts',
  'apps/cli/test/commands.test.ts',
  'apps/cli/test/connect.test.ts',
  'apps/web/test/questions.test.ts',
  'packages/engine/src/execution/executions.test.ts',
  'packages/sources/src/openapi/wire.test.ts',
  'apps/cli/test/sources.test.ts',
  'packages/sandboxes/src/quickjs/pool/pool.test.ts',
  'packages/server/src/chaos-postgres.test.ts',
  'packages/server/src/chaos-daemon.test.ts',
  'packages/store/src/pglite/refusing-disk.test.ts',
  'packages/sources/src/openapi/reader/malformed.test.ts',
  'apps/web/test/server-away.test.ts',
  'apps/web/test/sign-in.test.ts',
  'apps/cli/test/answer.test.ts',
  'apps/cli/test/roles.test.ts',
];

/** Begins with what takes longest, so that no file is left running alone at the end. In a fresh clone nothing else would tell. */
export default class SlowFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification) => slow.findIndex((path) => moduleId.endsWith(path));
    const first = files.filter((file) => rank(file) >= 0).sort((one, other) => rank(one) - rank(other));
    return [...first, ...(await super.sort(files.filter((file) => rank(file) < 0)))];
  }
}

import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { expect, test } from 'vitest';
import { folderWithoutLane } from '../../../test/lane-folder.ts';
import { outcomeOf } from '../../sandbox.suite.ts';
import { createQuickJsSandbox } from '../sandbox.ts';

const folder = folderWithoutLane();

test('cancelling a run during its slice drops its VM', async () => {
  await build({
    entryPoints: [fileURLToPath(new URL('../../../test/drop-reporting-lane.program.ts', import.meta.url))],
    outfile: `${folder.path}/lane.cjs`,
    bundle: true,
    platform: 'node',
    format: 'cjs',
  });
  const sandbox = await createQuickJsSandbox({ folder: folder.path, lanes: { warm: 1, max: 1 } });
  const controller = new AbortController();
  const cancelled = await outcomeOf(
    sandbox,
    'return 1',
    { onCall: () => controller.abort() },
    controller.signal,
  );
  expect(cancelled).toMatchObject({ type: 'cancelled' });
  expect(await outcomeOf(sandbox, 'return 2')).toMatchObject({ type: 'returned', json: '[1]' });
  sandbox.close();
});

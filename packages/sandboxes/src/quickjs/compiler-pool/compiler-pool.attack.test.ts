import { chargeTo } from '@executor/engine';
import { expect, onTestFinished, test } from 'vitest';
import { copyBuiltFolder } from '../../../test/lane-folder.ts';
import { createQuickJsSandbox } from '../sandbox.ts';

test('Large sources of several keys leave a compiler to small ones', async () => {
  const sandbox = await createQuickJsSandbox({ folder: copyBuiltFolder() });
  onTestFinished(() => sandbox.close());
  let large = 0;
  const compile = (key: string, code: string) =>
    chargeTo({ kind: 'agent', key, workspaceId: 'ws' }, () => sandbox.compile(code));
  const attacks = Array.from({ length: 8 }, (_, attacker) =>
    compile(`attacker ${attacker}`, `return [${'[1,2,3],'.repeat(100_000)}]`).then(() => {
      large += 1;
    }),
  );
  expect(await compile('neighbour', 'return 1')).toMatchObject({ type: 'compiled' });
  expect(large).toBeLessThan(4);
  await Promise.all(attacks);
});

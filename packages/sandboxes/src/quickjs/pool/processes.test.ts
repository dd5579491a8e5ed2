import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { describe, expect, test, vi } from 'vitest';
import { copyBuiltFolder } from '../../../test/lane-folder.ts';
import { processesNaming } from '../../../test/processes.ts';
import { type Confinement, probeConfinement } from '../child-process/confinement.ts';
import { createQuickJsSandbox } from '../sandbox.ts';

/** Processes are recognised by the folder that they run from. Every command line names it, also that of bubblewrap. */
const folder = copyBuiltFolder();

/** Milliseconds between two attempts to close a sandbox. */
const step = process.env.EXECUTOR_TEST_LONG === '1' ? 1 : 3;
const { kind: works } = await probeConfinement();
const expectNoneLeft = () => vi.waitFor(() => expect(processesNaming(folder)).toEqual([]), 20_000);

describe('no process outlives', () => {
  test('a server that is killed while runs loop and wait', async () => {
    const program = fileURLToPath(new URL('../../../test/server.program.ts', import.meta.url));
    const server = spawn(process.execPath, ['--import', 'tsx', program, folder], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    await once(server.stdout, 'data');
    expect(processesNaming(folder).length).toBeGreaterThan(4);
    server.kill('SIGKILL');
    await expectNoneLeft();
  });

  describe.each(['bubblewrap', 'permissions'] as const)('a sandbox confined by %s', (kind) => {
    test.skipIf(kind === 'bubblewrap' && works !== kind)('that is closed while a lane starts', async () => {
      const confinement: Confinement = { kind, detail: '' };
      for (let delay = 0; delay < 25; delay += step) {
        const sandbox = await createQuickJsSandbox({ folder, confinement });
        sandbox.warmUp();
        await new Promise((done) => setTimeout(done, delay));
        sandbox.close();
      }
      await expectNoneLeft();
    });
  });
});

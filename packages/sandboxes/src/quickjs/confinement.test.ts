import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { beforeAll, describe, expect, test } from 'vitest';
import { folderForOtherLane } from '../../test/other-lane.ts';
import { outcomeOf } from '../sandbox.suite.ts';
import { type Confinement, probeConfinement } from './confinement.ts';
import { createQuickJsSandbox } from './sandbox.ts';

/** What a process could do whose WebAssembly was broken out of: its program is one that tries. */
const folder = folderForOtherLane();
const { kind: works } = await probeConfinement();

beforeAll(async () => {
  await build({
    entryPoints: [fileURLToPath(new URL('../../test/trying-lane.program.ts', import.meta.url))],
    outfile: `${folder.path}/lane.cjs`,
    bundle: true,
    platform: 'node',
    format: 'cjs',
  });
});

describe('a lane', () => {
  test("confined by Node's permissions reads and writes no file, and starts no process and no thread", async () => {
    expect(await whatWorks({ kind: 'permissions', detail: '' })).not.toEqual(
      expect.arrayContaining([expect.stringMatching(/^(read|write|process|thread)/)]),
    );
  });

  test.skipIf(works !== 'bubblewrap')('confined by bubblewrap has no network and no files', async () => {
    expect(await whatWorks({ kind: 'bubblewrap', detail: '' })).not.toEqual(
      expect.arrayContaining([expect.stringMatching(/^(read|write|shell|socket)/)]),
    );
  });

  test('finds out what it could do where nothing confines it', async () => {
    const { tried } = await import('../../test/trying-lane.ts');
    const secret = `${folder.path}.secret`;
    await writeFile(secret, 'secret');
    expect(await tried({ secret, port: 1 })).toEqual(
      expect.arrayContaining(['read a file', 'write a file', 'shell', 'thread']),
    );
  });
});

async function whatWorks(confinement: Confinement): Promise<string[]> {
  const secret = `${folder.path}.secret`;
  await writeFile(secret, 'secret');
  const server = createServer((socket) => socket.end());
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const sandbox = await createQuickJsSandbox({
    folder: folder.path,
    confinement,
    lanes: { warm: 1, most: 1 },
  });
  const code = `// ${JSON.stringify({ secret, port })}\nreturn 1`;
  const outcome = await outcomeOf(sandbox, code);
  sandbox.close();
  server.close();
  if (outcome.type !== 'returned') throw new Error(JSON.stringify(outcome));
  return JSON.parse(outcome.json);
}

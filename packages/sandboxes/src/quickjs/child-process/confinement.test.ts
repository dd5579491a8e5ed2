import { once } from 'node:events';
import { rm, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Aims } from '../../../test/escape-attempts.ts';
import { folderWithoutLane } from '../../../test/lane-folder.ts';
import { encodeHead, parseHead } from '../messages/message-head.ts';
import { ChildProcess } from './child-process.ts';
import { type ChildCommand, type Confinement, childCommand, probeConfinement } from './confinement.ts';

/** Runs a program that tries to escape, as code could that broke out of WebAssembly. */
const folder = folderWithoutLane();
const { kind: works } = await probeConfinement();

beforeAll(async () => {
  await writeFile(secret(), 'secret');
  await build({
    entryPoints: [fileURLToPath(new URL('../../../test/escaping-lane.program.ts', import.meta.url))],
    outfile: `${folder.path}/lane.cjs`,
    bundle: true,
    platform: 'node',
    format: 'cjs',
  });
});

afterAll(async () => {
  for (const path of [secret(), `${secret()}.written`, '/dev/shm/x']) await rm(path, { force: true });
});

/** A file outside of the lane's folder. */
function secret(): string {
  return `${folder.path}.secret`;
}

describe('a lane', () => {
  test("confined by Node's permissions reads and writes no file, and starts no process and no thread", async () => {
    expect(await whatWorks({ kind: 'permissions', detail: '' })).not.toEqual(
      expect.arrayContaining([expect.stringMatching(/^(read|write|shell|process|thread)/)]),
    );
  });

  test.skipIf(works !== 'bubblewrap')('confined by bubblewrap can do none of the attempts', async () => {
    expect(await whatWorks({ kind: 'bubblewrap', detail: '' })).toEqual([]);
  });

  test.skipIf(works !== 'bubblewrap')(
    'confined by bubblewrap has no network, no files and no processes but its own, whatever Node permits',
    async () => {
      const worked = await whatWorks(
        { kind: 'bubblewrap', detail: '' },
        (arg) => !/permission|allow/.test(arg),
      );
      expect(worked).toEqual(['process of Node', 'thread']);
    },
  );

  test('without confinement the attempts succeed', async () => {
    const { tryToEscape } = await import('../../../test/escape-attempts.ts');
    expect(await tryToEscape({ secret: secret(), port: 1, server: process.pid })).toEqual(
      expect.arrayContaining([
        'read a file',
        'write a file',
        'see a process of the machine',
        'shell',
        'thread',
      ]),
    );
  });
});

async function whatWorks(confinement: Confinement, keep = (_arg: string) => true): Promise<string[]> {
  const server = createServer((socket) => socket.end());
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const { args, ...command } = childCommand(confinement, 'lane.cjs', folder.path);
  const worked = await answerOf(
    { ...command, args: args.filter(keep) },
    { secret: secret(), port, server: process.pid },
  );
  server.close();
  return worked;
}

function answerOf(command: ChildCommand, aims: Aims): Promise<string[]> {
  const start = encodeHead('start', 1, 0, 0, '{}');
  return new Promise((resolve, reject) => {
    const child = new ChildProcess(command, {
      onFrame(head, body) {
        if (parseHead(head).type === 'ready') return child.send(start, `// ${JSON.stringify(aims)}`);
        resolve(JSON.parse(body.toString()));
        child.kill();
      },
      onEnd: reject,
    });
  });
}

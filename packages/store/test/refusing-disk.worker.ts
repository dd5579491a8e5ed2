import { existsSync, readFileSync } from 'node:fs';
import { parentPort, workerData } from 'node:worker_threads';
import { servePglite } from '../src/pglite/serve.ts';
import { type PostgresModule, SyncedNodeFS } from '../src/pglite/synced-fs.ts';

/**
 * A disk that refuses to write some files while `FOLDER.refusal` exists. That file has an error code, such as ENOSPC, and a pattern for the
 * paths.
 */
class RefusingFS extends SyncedNodeFS {
  protected override prepare(module: PostgresModule): void {
    super.prepare(module);
    const { NODEFS } = module;
    const { write } = NODEFS.stream_ops;
    NODEFS.stream_ops.write = (stream, ...rest) => {
      const code = refusalOf(NODEFS.realPath(stream.node));
      if (code !== undefined) NODEFS.tryFSOperation(() => refuse(code));
      return write(stream, ...rest);
    };
  }
}

function refusalOf(path: string): string | undefined {
  const sign = `${workerData.folder}.refusal`;
  if (!existsSync(sign)) return undefined;
  const [code = '', pattern = ''] = readFileSync(sign, 'utf8').split(' ');
  return new RegExp(pattern).test(path.slice(workerData.folder.length)) ? code : undefined;
}

function refuse(code: string): never {
  throw Object.assign(new Error('refused by the test'), { code });
}

if (parentPort === null) throw new Error('This file is started as a worker thread.');
await servePglite(parentPort, new RefusingFS(workerData.folder));

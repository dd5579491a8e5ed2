import { existsSync, readFileSync } from 'node:fs';
import { parentPort, workerData } from 'node:worker_threads';
import { servePglite } from '../src/pglite/serve.ts';
import { type PostgresModule, SyncedNodeFS } from '../src/pglite/synced-fs.ts';

/** A disk that is full for some files for as long as the file `FOLDER.full` is there: it holds a pattern for their paths. */
class FillableFS extends SyncedNodeFS {
  protected override prepare(module: PostgresModule): void {
    super.prepare(module);
    const { NODEFS } = module;
    const { write } = NODEFS.stream_ops;
    NODEFS.stream_ops.write = (stream, ...rest) => {
      if (isFullFor(NODEFS.realPath(stream.node))) NODEFS.tryFSOperation(refuse);
      return write(stream, ...rest);
    };
  }
}

function isFullFor(path: string): boolean {
  const sign = `${workerData.folder}.full`;
  return (
    existsSync(sign) && new RegExp(readFileSync(sign, 'utf8')).test(path.slice(workerData.folder.length))
  );
}

function refuse(): never {
  throw Object.assign(new Error('no space left on device'), { code: 'ENOSPC' });
}

if (parentPort === null) throw new Error('This file is started as a worker thread.');
await servePglite(parentPort, new FillableFS(workerData.folder));

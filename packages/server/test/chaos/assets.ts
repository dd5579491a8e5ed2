import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { vectorsFile } from '../../../discovery/build.ts';
import type { ServerAssets } from '../../src/main.ts';

/** The files that the test set-up has built, relative to the folder of the packages, because a built program is not beside its source. */
export function testAssets(packages: string): ServerAssets {
  const store = (name: string) => pathToFileURL(join(packages, 'store/dist', name));
  return {
    store: {
      migrations: store('migrations/'),
      pgliteWorker: store('pglite-worker.js'),
      pgliteSnapshot: store('pgdata.tgz'),
    },
    web: join(packages, 'server/test/web'),
    sandbox: join(packages, 'sandboxes/dist/quickjs'),
    reader: join(packages, 'sources/dist/reader'),
    typecheck: join(packages, 'typecheck/dist'),
    embedding: join(packages, 'embedding/dist'),
    jsonWorker: pathToFileURL(join(packages, 'server/dist/json-worker.js')),
    wordVectors: pathToFileURL(vectorsFile),
    indexWorker: pathToFileURL(join(packages, 'server/dist/index-worker.js')),
    printWorker: pathToFileURL(join(packages, 'server/dist/print-worker.js')),
  };
}

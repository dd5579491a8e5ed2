import { fileURLToPath } from 'node:url';
import type { ServerAssets } from '../../../packages/server/src/main.ts';

const dist = new URL('../../cli/dist/', import.meta.url);
const folder = (name: string) => fileURLToPath(new URL(name, dist));

/** The built files, so that the server of the tests serves the pages that users get. */
export const assets: ServerAssets = {
  store: {
    migrations: new URL('./store/migrations/', dist),
    pgliteWorker: new URL('./store/pglite-worker.js', dist),
    pgliteSnapshot: new URL('./store/pgdata.tgz', dist),
  },
  web: folder('./web'),
  sandbox: folder('./sandbox'),
  reader: folder('./reader'),
  typecheck: folder('./typecheck'),
  embedding: folder('./embedding'),
  jsonWorker: new URL('./server/json-worker.js', dist),
  wordVectors: new URL('./discovery/words.bin', dist),
  indexWorker: new URL('./server/index-worker.js', dist),
  printWorker: new URL('./server/print-worker.js', dist),
};

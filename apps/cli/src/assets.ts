import { fileURLToPath } from 'node:url';
import type { ServerAssets } from '@executor/server';

/** The folder with the programs of the sandbox's child processes. */
export const sandboxFolder = fileURLToPath(new URL('./sandbox', import.meta.url));

/** The folder with the program of the language model's process. */
export const embeddingFolder = fileURLToPath(new URL('./embedding', import.meta.url));

/** The files that the build writes beside this program (scripts/build.ts). */
export const assets: ServerAssets = {
  store: {
    migrations: new URL('./store/migrations/', import.meta.url),
    pgliteWorker: new URL('./store/pglite-worker.js', import.meta.url),
    pgliteSnapshot: new URL('./store/pgdata.tgz', import.meta.url),
  },
  web: fileURLToPath(new URL('./web', import.meta.url)),
  sandbox: sandboxFolder,
  reader: fileURLToPath(new URL('./reader', import.meta.url)),
  typecheck: fileURLToPath(new URL('./typecheck', import.meta.url)),
  embedding: embeddingFolder,
  jsonWorker: new URL('./server/json-worker.js', import.meta.url),
  wordVectors: new URL('./discovery/words.bin', import.meta.url),
  indexWorker: new URL('./server/index-worker.js', import.meta.url),
  printWorker: new URL('./server/print-worker.js', import.meta.url),
};

/** The path of this program. `up` starts it again as the daemon. */
export const programPath = fileURLToPath(new URL('./main.js', import.meta.url));

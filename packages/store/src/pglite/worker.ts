import { parentPort, workerData } from 'node:worker_threads';
import { servePglite } from './serve.ts';
import { SyncedNodeFS } from './synced-fs.ts';

/** The worker thread of the embedded database. */
if (parentPort === null) throw new Error('This file is started as a worker thread.');
await servePglite(parentPort, new SyncedNodeFS(workerData.folder));

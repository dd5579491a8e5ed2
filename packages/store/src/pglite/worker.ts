import { parentPort, workerData } from 'node:worker_threads';
import { servePglite } from './serve.ts';
import { SyncedNodeFS } from './synced-fs.ts';

/** The thread that the embedded database lives on. */
if (parentPort === null) throw new Error('This file is started as a worker thread.');
await servePglite(parentPort, new SyncedNodeFS(workerData.folder));

import { parentPort, workerData } from 'node:worker_threads';
import { servePglite } from '../src/pglite/serve.ts';
import { PowerCutFS } from './power-cut-fs.ts';

/** The embedded database on a machine that loses power. */
if (parentPort === null) throw new Error('This file is started as a worker thread.');
await servePglite(parentPort, new PowerCutFS(workerData.folder));

import { setFlagsFromString } from 'node:v8';
import type { MessagePort } from 'node:worker_threads';
import { PGlite } from '@electric-sql/pglite';
import type { NodeFS } from '@electric-sql/pglite/nodefs';
import { type FromWorker, sessionReset, type ToWorker } from './wire.ts';

/**
 * The database's side of the wire: opens PGlite on the thread it is called on and answers wire-protocol messages, one whole
 * request at a time. PGlite has a single session; it belongs to the youngest connection that has said anything, and is reset when it
 * changes hands. What an older connection still says is not heard: its pool has given it up.
 */
export async function servePglite(port: MessagePort, fs: NodeFS): Promise<void> {
  // The optimising compiler costs more memory (60 MB) and start-up time than it gains for short queries.
  setFlagsFromString('--liftoff-only');
  const database = await PGlite.create({ fs, startParams });
  let owner = 0;
  port.on('message', async (message: ToWorker) => {
    if (message.type === 'close') {
      await database.close();
      port.postMessage({ type: 'closed' } satisfies FromWorker);
      return port.close();
    }
    const { connection, bytes } = message;
    if (connection < owner) return;
    if (connection > owner && owner > 0) database.execProtocolRawSync(sessionReset);
    owner = connection;
    // A copy of just the answer: PGlite's buffer behind it is a megabyte, and used again.
    const answer = database.execProtocolRawSync(bytes).slice();
    port.postMessage({ type: 'answer', connection, bytes: answer } satisfies FromWorker, [answer.buffer]);
  });
  port.postMessage({ type: 'ready' } satisfies FromWorker);
}

/** PGlite's own parameters, but for `-F`, which turns syncing off. Small buffers: the operating system's cache is behind them. */
const startParams = [
  ...PGlite.defaultStartParams.filter((param) => param !== '-F'),
  ...Object.entries({
    wal_sync_method: 'fsync',
    shared_buffers: '8MB',
    max_connections: '5',
    wal_buffers: '512kB',
    max_wal_size: '64MB',
    min_wal_size: '32MB',
    maintenance_work_mem: '16MB',
  }).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
];

import { setFlagsFromString } from 'node:v8';
import type { MessagePort } from 'node:worker_threads';
import { PGlite } from '@electric-sql/pglite';
import type { SyncedNodeFS } from './synced-fs.ts';
import { type FromWorker, sessionReset, type ToWorker } from './wire.ts';

/**
 * The thread's end of the connection: opens PGlite and answers wire-protocol messages, one complete request at a time. PGlite has a single
 * session. It belongs to the newest connection that sent anything, and is reset when another one takes over. Requests of older connections
 * are ignored, because their pool has dropped them.
 */
export async function servePglite(port: MessagePort, fs: SyncedNodeFS): Promise<void> {
  // The optimising compiler costs more memory (60 MB) and start-up time than it gains for short queries.
  setFlagsFromString('--liftoff-only');
  const log: string[] = [];
  const send = (message: FromWorker) =>
    port.postMessage(message, message.type === 'answer' ? [message.bytes.buffer as ArrayBuffer] : []);
  const fail = (error: unknown) =>
    send({ type: 'failed', reason: log.findLast(isFinal) ?? String(error), refusal: fs.refusal });
  const onStderr = (line: string) => log.push(line) > 0;
  const database = await PGlite.create({ fs, startParams, onStderr }).catch((error) => {
    fail(error);
    throw error;
  });
  endOnBreakdown(database, fail);
  let owner = 0;
  port.on('message', async (message: ToWorker) => {
    if (message.type === 'close') {
      await database.close();
      return port.close();
    }
    const { connection, bytes } = message;
    if (connection < owner) return;
    if (connection > owner && owner > 0) execute(database, sessionReset, () => {});
    owner = connection;
    fs.refusal = undefined;
    log.length = 0;
    execute(database, bytes, (answer) => send({ type: 'answer', connection, bytes: answer }));
  });
  send({ type: 'ready' });
}

/** Whether Postgres gives the reason for its end in this line. */
function isFinal(line: string): boolean {
  return line.startsWith('FATAL:') || line.startsWith('PANIC:');
}

/**
 * Runs a request to its end before returning. `execProtocolRaw` would parse every answer again and keep the result for ever. If this call
 * fails, the unhandled rejection ends the thread.
 */
function execute(database: PGlite, request: Uint8Array, answer: (bytes: Uint8Array) => void): void {
  // A copy, because the bytes are in Postgres's memory.
  void database.execProtocolRawStream(request, {
    syncToFs: false,
    onRawData: (bytes) => answer(bytes.slice()),
  });
}

/** The status with which PGlite's `longjmp` exits the main loop after a failed statement. Postgres's own handler follows. */
const statementFailed = 100;

interface MainLoop {
  _PostgresMainLoopOnce(): void;
}

/**
 * Ends this thread when Postgres gave up (PANIC, for example because its log cannot be written) or crashed. PGlite would ignore the
 * exception and continue in a loop with undefined memory.
 */
function endOnBreakdown(database: PGlite, fail: (error: unknown) => void): void {
  const module = database.Module as unknown as MainLoop;
  const once = module._PostgresMainLoopOnce;
  module._PostgresMainLoopOnce = () => {
    try {
      once();
    } catch (error) {
      if ((error as { status?: number }).status === statementFailed) throw error;
      fail(error);
      process.exit(1);
    }
  };
}

/** PGlite's parameters without `-F`, which disables syncing. Buffers are small, because the operating system caches files too. */
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
    log_line_prefix: '',
    // Without statistics, which nothing collects here, Postgres would read and sort a whole journal for its first page.
    enable_bitmapscan: 'off',
  }).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
];

import { setFlagsFromString } from 'node:v8';
import type { MessagePort } from 'node:worker_threads';
import { PGlite } from '@electric-sql/pglite';
import type { SyncedNodeFS } from './synced-fs.ts';
import { type FromWorker, sessionReset, type ToWorker } from './wire.ts';

/**
 * The database's side of the wire: opens PGlite on the thread it is called on and answers wire-protocol messages, one whole
 * request at a time. PGlite has a single session; it belongs to the youngest connection that has said anything, and is reset when it
 * changes hands. What an older connection still says is not heard: its pool has given it up.
 */
export async function servePglite(port: MessagePort, fs: SyncedNodeFS): Promise<void> {
  // The optimising compiler costs more memory (60 MB) and start-up time than it gains for short queries.
  setFlagsFromString('--liftoff-only');
  const log: string[] = [];
  const tell = (message: FromWorker) =>
    port.postMessage(message, message.type === 'answer' ? [message.bytes.buffer as ArrayBuffer] : []);
  const fail = (error: unknown) =>
    tell({ type: 'failed', reason: log.findLast(isFinal) ?? String(error), refusal: fs.refusal });
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
    execute(database, bytes, (answer) => tell({ type: 'answer', connection, bytes: answer }));
  });
  tell({ type: 'ready' });
}

/** A line with which Postgres says why it ends. */
function isFinal(line: string): boolean {
  return line.startsWith('FATAL:') || line.startsWith('PANIC:');
}

/**
 * Runs a request to its end, before it returns. Another way to call PGlite, `execProtocolRaw`, parses every answer once more and keeps
 * what it parsed for ever. Where even this call fails, the rejection that nobody handles ends the thread.
 */
function execute(database: PGlite, request: Uint8Array, answer: (bytes: Uint8Array) => void): void {
  // A copy: the bytes are in Postgres's memory.
  void database.execProtocolRawStream(request, {
    syncToFs: false,
    onRawData: (bytes) => answer(bytes.slice()),
  });
}

/** How PGlite's `longjmp` leaves the main loop when a statement has failed; Postgres's own handler comes next. */
const statementFailed = 100;

interface MainLoop {
  _PostgresMainLoopOnce(): void;
}

/**
 * Ends this thread when Postgres has broken down: it gave up (PANIC, say because its log cannot be written) or crashed. PGlite
 * swallows what is thrown then and would go on, in a loop, with a Postgres whose memory is in no known state.
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
    log_line_prefix: '',
    // Nothing gathers statistics here, and without them Postgres would read and sort all of a journal for the first page of it.
    enable_bitmapscan: 'off',
  }).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
];

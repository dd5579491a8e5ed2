import { Socket } from 'node:net';
import { ensurePrivateFolder, loadConfig, resolveFolders } from '@executor/home';
import { runDaemon } from '../../src/daemon.ts';
import { createLogger } from '../../src/logs/logger.ts';
import type { Role } from '../../src/main.ts';
import { runRole } from '../../src/role.ts';
import { testAssets } from './assets.ts';
import { LedgerSource } from './ledger-source.ts';

export interface RoleSettings {
  role: Role;
  home: string;
  databaseUrl?: string;
  ledgerUrl: string;
  /** How long a call to the ledger may take. */
  timeoutMs: number;
  leaseMs: number;
  evictAfterMs: number;
  /** The folder of the packages. */
  packages: string;
}

/**
 * `role SETTINGS`: the daemon, a server or a worker, with the ledger among its tools. It says what it does in JSON lines on its output,
 * and ends when its input does: whoever started it is gone then.
 */
const settings = JSON.parse(process.argv[2] ?? '') as RoleSettings;
process.stdin.on('end', () => process.exit(1)).resume();
// It keeps nothing alive by being open.
if (process.stdin instanceof Socket) process.stdin.unref();

const folders = resolveFolders({ EXECUTOR_HOME: settings.home });
const env = { EXECUTOR_PORT: '0', EXECUTOR_DATABASE_URL: settings.databaseUrl };
ensurePrivateFolder(folders.data);
const { role, timeoutMs, leaseMs, evictAfterMs } = settings;
const options = {
  config: loadConfig({ folders, env }),
  folders,
  version: '1.2.3',
  logger: createLogger({ level: 'info', foreground: process.stdout }),
  assets: testAssets(settings.packages),
  worker: { leaseMs, evictAfterMs },
  sources: [{ namespace: 'ledger', source: new LedgerSource(settings.ledgerUrl, timeoutMs), settings: {} }],
};
if (role === 'all') await runDaemon({ ...options, onReady() {} });
else await runRole({ ...options, role });

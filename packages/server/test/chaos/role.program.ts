import { Socket } from 'node:net';
import { ensurePrivateFolder, loadConfig, resolveFolders } from '@executor/home';
import type { LimitChanges } from '@executor/protocol';
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
  limits?: LimitChanges;
  /** How long a call to the ledger may take. */
  timeoutMs: number;
  leaseMs: number;
  evictAfterMs: number;
  /** The folder of the packages. */
  packages: string;
}

/**
 * `role SETTINGS`: the daemon, a server or a worker, with the tools of the ledger. It logs JSON lines to its output, and exits when its
 * input ends, because the test process is gone then.
 */
const settings = JSON.parse(process.argv[2] ?? '') as RoleSettings;
process.stdin.on('end', () => process.exit(1)).resume();
// An open input must not keep the process alive.
if (process.stdin instanceof Socket) process.stdin.unref();

const folders = resolveFolders({ EXECUTOR_HOME: settings.home });
const env = {
  EXECUTOR_PORT: '0',
  EXECUTOR_DATABASE_URL: settings.databaseUrl,
  EXECUTOR_LIMITS: JSON.stringify(settings.limits ?? {}),
};
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

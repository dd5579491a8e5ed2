export { probeDatabase } from '@executor/store';
export { runDaemon } from './daemon.ts';
export { formatLogLine } from './logs/format-log-line.ts';
export { createLogger, type Logger, logFilePath } from './logs/logger.ts';
export type { ServerAssets } from './main.ts';
export { AuthorizationServer } from './oauth/authorization-server.ts';
export { findPortOwner } from './port-owner.ts';
export { runRole } from './role.ts';
export { trySandbox } from './try-sandbox.ts';

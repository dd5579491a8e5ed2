export { dropAgentKey, keepAgentKey, readAgentKey } from './agent-key.ts';
export {
  type ConfigEntry,
  configKeys,
  environmentNameOf,
  listConfig,
  loadConfig,
  requireKey,
  setConfig,
} from './config.ts';
export { configPath } from './config-file.ts';
export {
  type DaemonRecord,
  daemonLockPath,
  daemonProcessOf,
  readDaemonRecord,
  readDaemonRecords,
  removeDaemonRecord,
  writeDaemonRecord,
} from './daemon-record.ts';
export { withoutPassword } from './database-url.ts';
export { type Folders, resolveFolders } from './folders.ts';
export { findJsonMistake } from './json-mistake.ts';
export { ensureLocalToken, localTokenPath, readLocalToken } from './local-token.ts';
export { acquireLock, type Lock, type LockAttempt } from './lock-file.ts';
export { installModel, isModelInstalled, modelFolder } from './model/install-model.ts';
export { type ModelName, modelNames, modelVersion } from './model/language-models.ts';
export { requireOwnFolders } from './own-folders.ts';
export { openToAppend, readPrivateFile, writeCandidate } from './private-file.ts';
export { ensurePrivateFolder, unreadable, unusable } from './private-folder.ts';
export { isAlive, type ProcessIdentity, thisProcess } from './process-identity.ts';
export type { Config } from './settings.ts';
export { shellQuote } from './shell-quote.ts';

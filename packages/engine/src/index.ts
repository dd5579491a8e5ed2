export { listAudit } from './audit.ts';
export { createEngine, type Engine } from './engine.ts';
export { newId } from './id.ts';
export type { Credential } from './identity/authenticate.ts';
export {
  type CallResult,
  type CodeError,
  type Compilation,
  type Completion,
  type LogLine,
  type Program,
  type RecordedCall,
  type Sandbox,
  type SandboxCall,
  type SandboxHistory,
  type SandboxHooks,
  type SandboxLimits,
  type SandboxOutcome,
  type SandboxRequest,
  type SandboxUsage,
  sleepPath,
} from './ports/sandbox.ts';
export type {
  ApiKeyRow,
  Installation,
  NewAccount,
  NewAuditEntry,
  NewSignInLink,
  Page,
  Place,
  Redemption,
  SessionRow,
  Store,
} from './ports/store.ts';

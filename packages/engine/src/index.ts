export { listAudit } from './audit.ts';
export { createEngine, type Engine } from './engine.ts';
export { newId } from './id.ts';
export type { Credential } from './identity/authenticate.ts';
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

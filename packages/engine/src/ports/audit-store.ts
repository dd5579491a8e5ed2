import type { PageQuery } from '@executor/protocol';
import type { Page } from './page.ts';

export interface NewAuditEntry {
  id: string;
  workspaceId: string;
  at: Date;
  action: string;
  actorId: string;
  credential: string;
  /** Which key or session it was. */
  credentialId?: string;
  target?: string;
  details?: Record<string, unknown>;
}

export interface AuditStore {
  /** Writes what goes with no change, unless there is an entry of that action and target in the workspace. */
  note(entry: NewAuditEntry): Promise<void>;
  list(workspaceId: string, page: PageQuery): Promise<Page<NewAuditEntry>>;
}

import type { PageQuery } from '@executor/protocol';
import type { Page } from './page.ts';

export interface NewAuditEntry {
  id: string;
  workspaceId: string;
  at: Date;
  action: string;
  actorId: string;
  credential: string;
  /** The id of the key or session. */
  credentialId?: string;
  target?: string;
  details?: Record<string, unknown>;
}

export interface AuditStore {
  /** Writes an entry without a change, unless the workspace has an entry with the same action and target. */
  note(entry: NewAuditEntry): Promise<void>;
  list(workspaceId: string, page: PageQuery): Promise<Page<NewAuditEntry>>;
}

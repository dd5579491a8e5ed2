import type { NewPolicy, PageQuery, PolicyChange } from '@executor/protocol';
import type { NewAuditEntry } from './audit-store.ts';
import type { Page } from './page.ts';

export interface PolicyRow extends NewPolicy {
  id: string;
  workspaceId: string;
  createdBy: string;
  createdAt: Date;
  updatedAt: Date;
}

export interface PolicyStore {
  /** All rules of a workspace, oldest first. */
  all(workspaceId: string): Promise<PolicyRow[]>;
  list(workspaceId: string, page: PageQuery): Promise<Page<PolicyRow>>;
  create(policy: PolicyRow, audit: NewAuditEntry): Promise<void>;
  /** Returns undefined if there is no such rule. */
  update(
    workspaceId: string,
    id: string,
    change: PolicyChange,
    audit: NewAuditEntry,
  ): Promise<PolicyRow | undefined>;
  remove(workspaceId: string, id: string, audit: NewAuditEntry): Promise<boolean>;
}

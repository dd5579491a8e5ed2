import type { AuditEntry, PageQuery, Principal } from '@executor/protocol';
import type { Store } from './ports/store.ts';

/** The audit log, newest entry first. The store writes each entry in the transaction of its change. */
export async function listAudit(
  store: Pick<Store, 'audit'>,
  { workspaceId }: Principal,
  page: PageQuery,
): Promise<{ items: AuditEntry[]; nextCursor?: string }> {
  const { items, ...rest } = await store.audit.list(workspaceId, page);
  return {
    items: items.map(({ workspaceId: _, at, ...entry }) => ({ ...entry, at: at.toISOString() })),
    ...rest,
  };
}

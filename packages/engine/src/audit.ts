import type { AuditEntry, PageQuery, Principal } from '@executor/protocol';
import type { Store } from './ports/store.ts';

/** Who did what, the newest first. Entries are written by the store together with the change that they tell of. */
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

import { resolvedEvent } from '../../src/interaction/resolved-event.ts';
import type { AskedRow, InteractionRow, InteractionStore } from '../../src/ports/interaction-store.ts';
import type { Page } from '../../src/ports/page.ts';
import type { ModelTables, RunRow } from './model-tables.ts';
import type { Immediate } from './over-wire.ts';

type Port = Immediate<InteractionStore>;
type Answer = Parameters<Port['resolve']>[2];

/** An in-memory implementation of the port for interactions. */
export class ModelInteractions implements Port {
  protected readonly tables: ModelTables;

  constructor(tables: ModelTables) {
    this.tables = tables;
  }

  find(workspaceId: string, id: string): AskedRow | undefined {
    const asked = this.tables.interactions.get(id);
    return asked?.workspaceId === workspaceId ? this.#withAsker(asked) : undefined;
  }

  list(...[workspaceId, filter, page]: Parameters<Port['list']>): Page<AskedRow> {
    const rows = [...this.tables.interactions.values()]
      .filter((asked) => asked.workspaceId === workspaceId)
      .filter(({ status }) => filter.status === undefined || status === filter.status)
      .filter(({ executionId }) => filter.executionId === undefined || executionId === filter.executionId)
      .filter(({ id }) => page.cursor === undefined || id < page.cursor)
      .sort((one, other) => (one.id < other.id ? 1 : -1));
    const items = rows.slice(0, page.limit).map((row) => this.#withAsker(row));
    const last = items.at(-1);
    return rows.length > page.limit && last ? { items, nextCursor: last.id } : { items };
  }

  pendingOf(executionId: string): InteractionRow[] {
    return [...this.tables.interactions.values()]
      .filter((asked) => asked.executionId === executionId && asked.status === 'pending')
      .sort(
        (one, other) =>
          one.createdAt.getTime() - other.createdAt.getTime() ||
          one.callIndex - other.callIndex ||
          one.ordinal - other.ordinal,
      );
  }

  resolve(...[workspaceId, id, answer]: Parameters<Port['resolve']>): ReturnType<Port['resolve']> {
    const asked = this.tables.interactions.get(id);
    if (asked?.workspaceId !== workspaceId) return undefined;
    if (!this.isOpen(asked, answer.at)) {
      const row = this.#withAsker(asked);
      return { type: 'settled', row: row.status === 'pending' ? { ...row, status: 'expired' } : row };
    }
    const run = this.tables.runs.get(asked.executionId) as RunRow;
    const rows = this.#alike(asked, answer).map((row) => this.#settle(row, answer));
    this.tables.append(
      run,
      rows.map((row) => resolvedEvent(row, answer)),
    );
    if (run.row.status === 'waiting') {
      run.row.wakeAt = new Date(this.tables.now);
      if (run.leaseOwner === null) this.tables.outlets.wake(run.row.id, this.tables.now);
    }
    this.tables.outlets.committed({ type: 'resolved', run, rows });
    this.tables.changed(run, { forHolder: true });
    return { type: 'resolved', rows };
  }

  protected isOpen({ status, expiresAt }: InteractionRow, at: Date): boolean {
    return status === 'pending' && (expiresAt === null || expiresAt > at);
  }

  /** The model has no keys. */
  #withAsker(row: InteractionRow): AskedRow {
    const { ownerId, principalKind, clientId } = (this.tables.runs.get(row.executionId) as RunRow).row;
    return { ...row, askedBy: { ownerId, principalKind, clientId, keyName: null } };
  }

  /** The row with the requested id is first. */
  #alike(asked: InteractionRow, { identical, at }: Answer): InteractionRow[] {
    if (!identical) return [asked];
    const others = this.pendingOf(asked.executionId)
      .filter(({ binding, kind }) => binding === asked.binding && kind === asked.kind)
      .filter((other) => other.id !== asked.id && this.isOpen(other, at));
    return [asked, ...others.sort((one, other) => one.callIndex - other.callIndex)];
  }

  #settle(asked: InteractionRow, { resolution, at }: Answer): InteractionRow {
    const row = { ...asked, status: 'resolved', resolvedAt: at, resolution } as const;
    this.tables.interactions.set(asked.id, row);
    return row;
  }
}

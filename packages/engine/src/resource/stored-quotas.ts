import {
  diskReserve,
  ExecutorError,
  type LimitChanges,
  limitsOf,
  type ResourceLimits,
  type ResourceUsage,
  type StoredResourceName,
  storedTable,
} from '@executor/protocol';
import type { Clock } from '../clock.ts';
import type { DiskSpace, Store } from '../ports/store.ts';
import type { NewRunLimits, StoredLimit, UsageOwner, UsageRow } from '../ports/usage-store.ts';
import type { Account } from './account.ts';

interface Dependencies {
  store: Pick<Store, 'usage' | 'disk'>;
  changes?: LimitChanges | undefined;
  clock: Clock;
}

const names = Object.keys(storedTable) as StoredResourceName[];
const unlimited = Number.POSITIVE_INFINITY;
/** The payloads of a key are deleted down to this part of its limit, so that not every write has to delete some. */
const roomTo = 0.9;
/** How long a key without room is refused before the database is asked again. */
const refusedMs = 2_000;
const diskKeptMs = 1_000;
/** So many entries of the audit are taken at once, so that not every call asks the database. */
const auditRowsAtOnce = 50;

/**
 * What a workspace keeps in the database: bytes, runs, pending questions, entries of the audit. The database counts
 * (`ports/usage-store.ts`); this class knows the limits and what happens at a limit:
 *
 * - A key without room for bytes loses the payloads of its own oldest finished runs. If that is not enough, its new work is refused with
 *   `quotaExceeded`. Nobody loses anything because of somebody else, also not at the limit of the workspace.
 * - Runs, calls, approvals and the audit are kept for the retention time, so their limits refuse at once.
 * - An embedded database leaves a part of the disk to people. Agents cannot write while less is free.
 */
export class StoredQuotas {
  readonly #deps: Dependencies;
  readonly #limits: Record<StoredResourceName, ResourceLimits>;
  readonly #reserve: number;
  /** Keys without room for bytes, and until when they are refused. */
  readonly #full = new Map<string, { until: number; freeing?: Promise<void> }>();
  readonly #auditRows = new Map<string, number>();
  #disk: { at: number; space: Promise<DiskSpace | undefined> } | undefined;

  constructor(dependencies: Dependencies) {
    this.#deps = dependencies;
    const { changes = {} } = dependencies;
    const entries = names.map((name) => [name, limitsOf(name, changes)]);
    this.#limits = Object.fromEntries(entries) as Record<StoredResourceName, ResourceLimits>;
    this.#reserve = changes[diskReserve.name] ?? diskReserve.bytes;
  }

  limitFor({ kind }: Account, name: StoredResourceName): StoredLimit {
    const limits = this.#limits[name];
    return kind === 'agent' ? limits : { perKey: unlimited, agents: unlimited, total: limits.total };
  }

  runLimits(account: Account): NewRunLimits {
    return { bytes: this.limitFor(account, 'storedBytes'), runs: this.limitFor(account, 'storedRuns') };
  }

  /** Makes room for a write that does not fit, and tries it once more. `work` returns undefined if it does not fit. */
  async admit<Result>(
    account: Account,
    bytes: number,
    work: () => Promise<Result | undefined>,
  ): Promise<Result> {
    await this.#requireDisk(account);
    const written = (await work()) ?? ((await this.#makeRoom(account, bytes)) ? await work() : undefined);
    if (written === undefined) throw await this.#refusal(account, bytes);
    return written;
  }

  /** A journal that had to be written exceeds the limit. New calls are refused until there is room again. */
  noteOverLimit(account: Account): void {
    const id = idOf(account);
    if (this.#full.get(id)?.freeing) return;
    const freeing = this.#makeRoom(account, 0)
      .catch(() => false)
      .then((hasRoom) => {
        if (hasRoom) this.#full.delete(id);
        else this.#full.set(id, { until: this.#deps.clock.elapsed() + refusedMs });
      });
    this.#full.set(id, { until: 0, freeing });
  }

  /** Throws `quotaExceeded` if the account may not store the result of another call. */
  async requireRoom(account: Account): Promise<void> {
    await this.#requireDisk(account);
    const id = idOf(account);
    const full = this.#full.get(id);
    if (full === undefined) return;
    if (full.freeing) await full.freeing;
    else if (full.until <= this.#deps.clock.elapsed()) {
      this.noteOverLimit(account);
      return this.requireRoom(account);
    }
    if (this.#full.has(id)) throw await this.#refusal(account, 0);
  }

  /** Takes a question before it is asked. `anyway`: it must be asked, because the call may have had its effect. */
  async takeQuestion(account: Account, { anyway = false }: { anyway?: boolean } = {}): Promise<void> {
    const { usage } = this.#deps.store;
    const owner = ownerOf(account);
    const limit = anyway
      ? { perKey: unlimited, agents: unlimited, total: unlimited }
      : this.limitFor(account, 'pendingQuestions');
    if (!(await usage.take(owner, 'questions', 1, limit)))
      throw await this.#overCount(account, 'pendingQuestions', 'questions');
  }

  async giveQuestionBack(account: Account): Promise<void> {
    await this.#deps.store.usage.giveBack(ownerOf(account), 1);
  }

  /** Takes an entry of the audit before it is written. */
  async takeAuditRow(account: Account): Promise<void> {
    const id = idOf(account);
    const day = this.#deps.clock.now().toISOString().slice(0, 10);
    const key = `${day} ${id}`;
    const left = this.#auditRows.get(key) ?? 0;
    if (left > 0) {
      this.#auditRows.set(key, left - 1);
      return;
    }
    const limit = this.limitFor(account, 'auditRows');
    for (const rows of [auditRowsAtOnce, 1]) {
      if (!(await this.#deps.store.usage.take(ownerOf(account), 'auditRows', rows, limit))) continue;
      for (const known of this.#auditRows.keys()) if (!known.startsWith(day)) this.#auditRows.delete(known);
      this.#auditRows.set(key, (this.#auditRows.get(key) ?? 0) + rows - 1);
      return;
    }
    throw await this.#overCount(account, 'auditRows', 'auditRows');
  }

  async usage(workspaceId: string): Promise<ResourceUsage[]> {
    const rows = await this.#deps.store.usage.list(workspaceId);
    const stored = names.map((name): ResourceUsage => {
      const users = rows
        .map((row) => ({ key: row.ownerId, used: row[columnOf[name]], kind: row.kind }))
        .filter(({ used }) => used > 0)
        .sort((one, other) => other.used - one.used);
      const sum = (part: typeof users) => part.reduce((total, { used }) => total + used, 0);
      return {
        ...{ name, description: storedTable[name].description, unit: storedTable[name].unit },
        limits: this.#limits[name],
        used: sum(users),
        byAgents: sum(users.filter(({ kind }) => kind === 'agent')),
        waiting: 0,
        users: users.slice(0, shownUsers).map(({ key, used }) => ({ key, used })),
      };
    });
    const disk = await this.#diskUsage();
    return disk ? [...stored, disk] : stored;
  }

  async #diskUsage(): Promise<ResourceUsage | undefined> {
    const space = await this.#space();
    if (space === undefined) return undefined;
    const used = space.totalBytes - space.freeBytes;
    const agents = Math.max(0, space.totalBytes - this.#reserve);
    return {
      ...{ name: 'disk', description: 'disk space of the database, used by any program', unit: 'bytes' },
      limits: { perKey: agents, agents, total: space.totalBytes },
      ...{ used, byAgents: used, waiting: 0, users: [] },
    };
  }

  async #makeRoom(account: Account, bytes: number): Promise<boolean> {
    const { usage } = this.#deps.store;
    const limit = this.limitFor(account, 'storedBytes');
    const rows = await usage.list(account.workspaceId);
    const own = rows.find(({ ownerId }) => ownerId === account.key)?.bytes ?? 0;
    const room = roomOf(rows, account, limit);
    if (bytes <= room) return true;
    if (account.kind === 'person' || bytes > limit.perKey) return false;
    const toBytes = Math.max(0, Math.min(limit.perKey * roomTo, own + room) - bytes);
    await usage.removePayloads(ownerOf(account), toBytes, this.#reasonOf(limit, bytes > limit.perKey - own));
    return bytes <= roomOf(await usage.list(account.workspaceId), account, limit);
  }

  #reasonOf({ perKey }: StoredLimit, isOwn: boolean): string {
    const day = this.#deps.clock.now().toISOString().slice(0, 10);
    const why = isOwn
      ? `the key reached its quota of ${sizeText(perKey)} of stored data`
      : 'the agents of the workspace reached their quota of stored data';
    return `Deleted on ${day} to make room: ${why}.`;
  }

  async #refusal(account: Account, bytes: number): Promise<ExecutorError> {
    const rows = await this.#deps.store.usage.list(account.workspaceId);
    const own = rows.find(({ ownerId }) => ownerId === account.key);
    const runs = this.limitFor(account, 'storedRuns');
    const isRuns =
      (own?.runs ?? 0) >= runs.perKey || rows.reduce((sum, row) => sum + row.runs, 0) >= runs.total;
    if (isRuns && bytes >= 0 && roomOf(rows, account, this.limitFor(account, 'storedBytes')) >= bytes) {
      return this.#overCount(account, 'storedRuns', 'runs');
    }
    return this.#overCount(account, 'storedBytes', 'bytes');
  }

  /** The refusal says what is used, by the key itself and by all, and what to do. */
  async #overCount(
    account: Account,
    name: StoredResourceName,
    column: keyof Pick<UsageRow, 'bytes' | 'runs' | 'questions' | 'auditRows'>,
  ): Promise<ExecutorError> {
    const rows = await this.#deps.store.usage.list(account.workspaceId);
    const used = rows.find(({ ownerId }) => ownerId === account.key)?.[column] ?? 0;
    const byAgents = sumOf(
      rows.filter(({ kind }) => kind === 'agent'),
      column,
    );
    const { perKey, agents, total } = this.#limits[name];
    const text = name === 'storedBytes' ? sizeText : String;
    const { description } = storedTable[name];
    const fact = `The limit of ${description} is ${text(perKey)} per key and ${text(agents)} for all agents together.`;
    const state = `This key has ${text(used)}, all agents have ${text(byAgents)}.`;
    return new ExecutorError('quotaExceeded', `${fact} ${state} ${remedies[name]}`, {
      details: { resource: name, used, byAgents, perKey, agents, total },
    });
  }

  async #requireDisk({ kind }: Account): Promise<void> {
    if (kind === 'person') return;
    const space = await this.#space();
    if (space === undefined || space.freeBytes >= this.#reserve) return;
    const { freeBytes } = space;
    throw new ExecutorError(
      'quotaExceeded',
      `The disk of the database has ${sizeText(freeBytes)} free. The last ${sizeText(this.#reserve)} are for people, so agents cannot write. Ask a person to free some space.`,
      { details: { resource: 'disk', freeBytes, reserveBytes: this.#reserve } },
    );
  }

  #space(): Promise<DiskSpace | undefined> {
    const now = this.#deps.clock.elapsed();
    if (this.#disk === undefined || now - this.#disk.at >= diskKeptMs) {
      this.#disk = { at: now, space: this.#deps.store.disk() };
    }
    return this.#disk.space;
  }
}

const shownUsers = 5;

const columnOf = {
  storedBytes: 'bytes',
  storedRuns: 'runs',
  pendingQuestions: 'questions',
  auditRows: 'auditRows',
} as const satisfies Record<StoredResourceName, keyof UsageRow>;

const remedies: Record<StoredResourceName, string> = {
  storedBytes: 'Store less, or ask a person to raise the limit.',
  storedRuns:
    'Old runs are deleted after the retention time. Do more in one run, or ask a person to raise the limit.',
  pendingQuestions: 'Wait until a person has answered some, then try again.',
  auditRows: 'Continue tomorrow (UTC), or ask a person to raise the limit.',
};

function idOf({ workspaceId, key }: Account): string {
  return `${workspaceId} ${key}`;
}

function ownerOf({ workspaceId, key: ownerId, kind }: Account): UsageOwner {
  return { workspaceId, ownerId, kind };
}

function sumOf(
  rows: UsageRow[],
  column: keyof Pick<UsageRow, 'bytes' | 'runs' | 'questions' | 'auditRows'>,
): number {
  return rows.reduce((sum, row) => sum + row[column], 0);
}

/** The bytes that the account may add. */
function roomOf(rows: UsageRow[], { key }: Account, { perKey, agents, total }: StoredLimit): number {
  const own = sumOf(
    rows.filter(({ ownerId }) => ownerId === key),
    'bytes',
  );
  const byAgents = sumOf(
    rows.filter(({ kind }) => kind === 'agent'),
    'bytes',
  );
  return Math.min(perKey - own, agents - byAgents, total - sumOf(rows, 'bytes'));
}

function sizeText(bytes: number): string {
  return `${Math.round(bytes / 1024 / 102.4) / 10} MB`;
}

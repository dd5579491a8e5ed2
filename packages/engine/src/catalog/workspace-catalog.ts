import { isDeepStrictEqual } from 'node:util';
import type { Source } from '../ports/source.ts';
import type { SourceRow } from '../ports/source-store.ts';
import type { Store } from '../ports/store.ts';
import type { ChunkCache } from './chunk-cache.ts';
import { OpenedSource } from './opened-source.ts';
import { ToolPack } from './tool-pack.ts';

interface Parts {
  store: Pick<Store, 'sources'>;
  kinds: ReadonlyMap<string, Source>;
  cache: ChunkCache;
  now: () => Date;
  onOpened(pack: ToolPack, replaced?: ToolPack): void;
  onProblem(message: string, details: Record<string, unknown>): void;
}

interface Entry {
  row: SourceRow;
  opened?: OpenedSource;
}

/** Older rows are read again in the background. */
const freshMs = 2_000;
/** Older rows are read again before they are used. */
const staleMs = 10_000;

/**
 * The sources of one workspace, as they are in the database. A source is opened when it is first used. An opened source
 * keeps its pack while its content stays the same.
 *
 * Other processes announce their changes (`forget`). Announcements may be lost, so the catalog also reads the database
 * regularly.
 */
export class WorkspaceCatalog {
  readonly #workspaceId: string;
  readonly #parts: Parts;
  #entries = new Map<string, Entry>();
  readonly #packs = new Map<string, Promise<ToolPack | undefined>>();
  #reading: { changes: number; done: Promise<void> } | undefined;
  /** A read that begins when the current one has ended. */
  #next: Promise<void> | undefined;
  /** The number of announced changes, and how many of them the entries include. */
  #changes = 0;
  #includedChanges = -1;
  #readAt = 0;

  constructor(workspaceId: string, parts: Parts) {
    this.#workspaceId = workspaceId;
    this.#parts = parts;
  }

  /** Notes that the database has changed. */
  forget(): void {
    this.#changes += 1;
  }

  /** The source if it is open and up to date. Undefined does not mean that it does not exist. */
  peek(namespace: string): OpenedSource | undefined {
    const age = this.#parts.now().getTime() - this.#readAt;
    // A negative age means that the clock was set back, so the real age is unknown.
    if (this.#includedChanges !== this.#changes || age > staleMs || age < 0) return undefined;
    if (age > freshMs) void this.#read().catch(() => {});
    return this.#entry(namespace)?.opened;
  }

  /** Opens a source. With `fresh`, it reads the database first. */
  async open(namespace: string, { fresh = false } = {}): Promise<OpenedSource | undefined> {
    if (!fresh) {
      const opened = this.peek(namespace);
      if (opened) return opened;
    }
    for (let tries = 0; tries < 3; tries++) {
      await this.#read(fresh);
      const entry = this.#entry(namespace);
      if (entry === undefined) return undefined;
      const opened = entry.opened ?? (await this.#open(entry));
      if (opened) return opened;
      // The content was replaced after the row was read.
      this.forget();
    }
    return undefined;
  }

  /** All sources, by namespace. */
  async rows(): Promise<SourceRow[]> {
    await this.#read();
    return [...this.#entries.values()]
      .map(({ row }) => row)
      .sort((one, other) => (one.namespace < other.namespace ? -1 : 1));
  }

  /** Adds a source that this process has just written, without reading it again. */
  adopt(row: SourceRow, pack: ToolPack | undefined): void {
    this.#set(row, pack);
  }

  drop(namespace: string): void {
    const entry = this.#entries.get(namespace);
    if (entry) this.#remove(entry);
  }

  /** The row of a source that was read before. */
  known(id: string): SourceRow | undefined {
    return [...this.#entries.values()].find(({ row }) => row.id === id)?.row;
  }

  /** Reads the database again if a change was announced, so that connections of removed sources are closed soon. */
  catchUp(): void {
    const isConnected = [...this.#entries.values()].some(({ row }) => this.#kind(row)?.release);
    if (isConnected) void this.#read().catch(() => {});
  }

  #remove({ row }: Entry): void {
    this.#entries.delete(row.namespace);
    this.#release(row);
  }

  #release(row: SourceRow): void {
    this.#kind(row)
      ?.release?.(row.id)
      .catch((error) => this.#parts.onProblem('the connections of a source were not closed', { error }));
  }

  #kind({ kind }: SourceRow): Source | undefined {
    return this.#parts.kinds.get(kind);
  }

  /** The source of that namespace, or the one that had it before. */
  #entry(namespace: string): Entry | undefined {
    const entry = this.#entries.get(namespace);
    if (entry) return entry;
    const isFormer = ({ row }: Entry) => row.provenance.formerNamespaces?.includes(namespace) ?? false;
    return [...this.#entries.values()].find(isFormer);
  }

  /** Keeps the newer of two rows: a read may have begun before the row in memory was written. */
  #set(row: SourceRow, newPack?: ToolPack): void {
    const before = [...this.#entries.values()].find((entry) => entry.row.id === row.id);
    const isKnown = before !== undefined;
    if (isKnown && before.row.revision > row.revision) return;
    if (isKnown && before.row.namespace !== row.namespace) this.#entries.delete(before.row.namespace);
    if (isKnown && !hasSameConnection(before.row, row)) this.#release(row);
    const entry: Entry = { row };
    const pack =
      newPack ?? (isKnown && before.row.contentId === row.contentId ? before.opened?.pack : undefined);
    const source = this.#kind(row);
    if (pack && source) entry.opened = new OpenedSource(source, row, pack);
    if (newPack && source) this.#parts.onOpened(newPack, isKnown ? before.opened?.pack : undefined);
    this.#entries.set(row.namespace, entry);
  }

  async #open(entry: Entry): Promise<OpenedSource | undefined> {
    const source = this.#kind(entry.row);
    if (source === undefined) return undefined;
    const pack = await this.#pack(entry.row.contentId);
    if (pack) {
      entry.opened = new OpenedSource(source, entry.row, pack);
      this.#parts.onOpened(pack);
    }
    return entry.opened;
  }

  async #pack(contentId: string): Promise<ToolPack | undefined> {
    const { store, cache } = this.#parts;
    const opening =
      this.#packs.get(contentId) ??
      store.sources.readTools(contentId).then((tools) => tools && ToolPack.open(tools, cache));
    this.#packs.set(contentId, opening);
    try {
      return await opening;
    } finally {
      this.#packs.delete(contentId);
    }
  }

  /**
   * Updates the entries unless they are recent. With `fresh`, only a read that begins after this call counts. Waiting
   * callers share one read.
   */
  #read(fresh = false): Promise<void> {
    if (!fresh && this.#isRecent()) return Promise.resolve();
    if (this.#reading === undefined) return this.#begin();
    if (!fresh && this.#reading.changes === this.#changes) return this.#reading.done;
    this.#next ??= this.#reading.done
      .catch(() => {})
      .then(() => {
        this.#next = undefined;
        return this.#begin();
      });
    return this.#next;
  }

  #isRecent(): boolean {
    const age = this.#parts.now().getTime() - this.#readAt;
    return this.#includedChanges === this.#changes && age >= 0 && age <= freshMs;
  }

  #begin(): Promise<void> {
    const done = this.#readNow(this.#changes).finally(() => {
      this.#reading = undefined;
    });
    this.#reading = { changes: this.#changes, done };
    return done;
  }

  async #readNow(changes: number): Promise<void> {
    const { store, now } = this.#parts;
    const readAt = now().getTime();
    const revisions = await store.sources.revisions(this.#workspaceId);
    const known = new Map([...this.#entries.values()].map(({ row }) => [row.id, row]));
    const changed = revisions.filter(({ id, revision }) => (known.get(id)?.revision ?? -1) < revision);
    for (const row of await this.#rowsOf(changed.map(({ id }) => id))) this.#set(row);
    const present = new Set(revisions.map(({ id }) => id));
    for (const entry of this.#entries.values()) {
      const { id } = entry.row;
      if (known.has(id) && !present.has(id)) this.#remove(entry);
    }
    this.#includedChanges = changes;
    this.#readAt = readAt;
  }

  async #rowsOf(ids: string[]): Promise<SourceRow[]> {
    const { sources } = this.#parts.store;
    if (ids.length === 0) return [];
    if (ids.length > 3) return sources.all(this.#workspaceId);
    const rows = await Promise.all(ids.map((id) => sources.find(this.#workspaceId, id)));
    return rows.filter((row) => row !== undefined);
  }
}

/** Whether calls of both rows can use the same connection. */
function hasSameConnection(one: SourceRow, other: SourceRow): boolean {
  return one.authId === other.authId && isDeepStrictEqual(one.settings, other.settings);
}

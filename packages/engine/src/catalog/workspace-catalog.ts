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
}

interface Entry {
  row: SourceRow;
  opened?: OpenedSource;
}

/** Looked at anew in the background when older than this, and before it is used when older than that. */
const freshMs = 2_000;
const staleMs = 10_000;

/**
 * The sources of one workspace, as the database has them. A source is opened when it is first used, and what is open is changed in
 * place: its pack stays for as long as its content does.
 *
 * What others change is heard of (`forget`), and since that may go unheard, looked for now and then.
 */
export class WorkspaceCatalog {
  readonly #workspaceId: string;
  readonly #parts: Parts;
  #entries = new Map<string, Entry>();
  readonly #packs = new Map<string, Promise<ToolPack | undefined>>();
  #reading: { heard: number; done: Promise<void> } | undefined;
  /** A reading that begins when the present one has ended. */
  #next: Promise<void> | undefined;
  /** How often a change was heard of, and how many of them what is here includes. */
  #heard = 0;
  #included = -1;
  #readAt = 0;

  constructor(workspaceId: string, parts: Parts) {
    this.#workspaceId = workspaceId;
    this.#parts = parts;
  }

  /** There is something new in the database. */
  forget(): void {
    this.#heard += 1;
  }

  /** What is open and up to date; undefined says nothing of what else there is. */
  peek(namespace: string): OpenedSource | undefined {
    const age = this.#parts.now().getTime() - this.#readAt;
    // A clock that was set back makes the age negative, which says nothing about it.
    if (this.#included !== this.#heard || age > staleMs || age < 0) return undefined;
    if (age > freshMs) void this.#read().catch(() => {});
    return this.#entry(namespace)?.opened;
  }

  /** The source of that name, opened; with `fresh`, as it is in the database now. */
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
      // Its content has just been replaced.
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

  /** What this process has just written need not be read again. */
  adopt(row: SourceRow, pack: ToolPack | undefined): void {
    this.#set(row, pack);
  }

  drop(namespace: string): void {
    this.#entries.delete(namespace);
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
    const entry: Entry = { row };
    const pack =
      newPack ?? (isKnown && before.row.contentId === row.contentId ? before.opened?.pack : undefined);
    const source = this.#parts.kinds.get(row.kind);
    if (pack && source) entry.opened = new OpenedSource(source, row, pack);
    if (newPack && source) this.#parts.onOpened(newPack, isKnown ? before.opened?.pack : undefined);
    this.#entries.set(row.namespace, entry);
  }

  async #open(entry: Entry): Promise<OpenedSource | undefined> {
    const source = this.#parts.kinds.get(entry.row.kind);
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
    const underWay =
      this.#packs.get(contentId) ??
      store.sources.readTools(contentId).then((tools) => tools && ToolPack.open(tools, cache));
    this.#packs.set(contentId, underWay);
    try {
      return await underWay;
    } finally {
      this.#packs.delete(contentId);
    }
  }

  /** Brings what is here up to date, unless it is. With `fresh`, with a reading that begins only now; one serves all that wait for it. */
  #read(fresh = false): Promise<void> {
    if (!fresh && this.#isRecent()) return Promise.resolve();
    if (this.#reading === undefined) return this.#begin();
    if (!fresh && this.#reading.heard === this.#heard) return this.#reading.done;
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
    return this.#included === this.#heard && age >= 0 && age <= freshMs;
  }

  #begin(): Promise<void> {
    const done = this.#readNow(this.#heard).finally(() => {
      this.#reading = undefined;
    });
    this.#reading = { heard: this.#heard, done };
    return done;
  }

  async #readNow(heard: number): Promise<void> {
    const { store, now } = this.#parts;
    const readAt = now().getTime();
    const revisions = await store.sources.revisions(this.#workspaceId);
    const known = new Map([...this.#entries.values()].map(({ row }) => [row.id, row]));
    const changed = revisions.filter(({ id, revision }) => (known.get(id)?.revision ?? -1) < revision);
    for (const row of await this.#rowsOf(changed.map(({ id }) => id))) this.#set(row);
    const present = new Set(revisions.map(({ id }) => id));
    for (const [namespace, { row }] of this.#entries) {
      if (known.has(row.id) && !present.has(row.id)) this.#entries.delete(namespace);
    }
    this.#included = heard;
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

import { nearest } from '@executor/protocol';
import type { PackedTools, Source, SourceSettings } from '../ports/source.ts';
import type { SourceRow } from '../ports/source-store.ts';
import type { Store } from '../ports/store.ts';
import { ChunkCache } from './chunk-cache.ts';
import { type NearPaths, nearestPaths } from './nearest-paths.ts';
import { type CatalogRow, type FoundTool, type GoverningRow, OpenedSource } from './opened-source.ts';
import { ToolPack } from './tool-pack.ts';
import { WorkspaceCatalog } from './workspace-catalog.ts';

export type { FoundTool } from './opened-source.ts';

/** A source of this process, under the name that its tools begin with; every workspace has it. */
export interface ConnectedSource {
  namespace: string;
  source: Source;
  settings: SourceSettings;
}

interface Dependencies {
  store: Pick<Store, 'sources' | 'subscribe'>;
  /** What sources are made of, one of each kind. */
  kinds: readonly Source[];
  now: () => Date;
  /** Told of tools when they are opened. */
  onOpened?(pack: ToolPack, replaced?: ToolPack): void;
}

/** All tools by their paths: those of this process, and those of each workspace's own sources. */
export class Catalog {
  readonly #store: Dependencies['store'];
  readonly #now: () => Date;
  readonly #onOpened: (pack: ToolPack, replaced?: ToolPack) => void;
  readonly #kinds: ReadonlyMap<string, Source>;
  readonly #cache = new ChunkCache();
  readonly #builtIn = new Map<string, OpenedSource>();
  readonly #workspaces = new Map<string, WorkspaceCatalog>();

  constructor({ store, kinds, now, onOpened = () => {} }: Dependencies) {
    this.#store = store;
    this.#now = now;
    this.#onOpened = onOpened;
    this.#kinds = new Map(kinds.map((source) => [source.kind, source]));
    store.subscribe((change) => {
      if (change.type === 'sources') this.#workspaces.get(change.workspaceId)?.forget();
    });
  }

  async connect({ namespace, source, settings }: ConnectedSource, signal: AbortSignal): Promise<void> {
    const { tools } = await source.load(settings, { namespace, signal });
    const pack = await ToolPack.open(tools, this.#cache);
    requireNamespace(namespace, pack);
    this.#onOpened(pack);
    this.#builtIn.set(
      namespace,
      new OpenedSource(source, { ...ungoverned, id: namespace, namespace, settings }, pack),
    );
  }

  /** Only what is at hand: where it is undefined, `seek` knows. */
  find(workspaceId: string, path: string): FoundTool | undefined {
    const namespace = namespaceOf(path);
    const source = this.#builtIn.get(namespace) ?? this.#workspace(workspaceId).peek(namespace);
    return source?.find(path);
  }

  /** Opens the source of the tool if need be. What is not found is looked for in the database once more, with `fresh` at once. */
  async seek(workspaceId: string, path: string, { fresh = false } = {}): Promise<FoundTool | undefined> {
    const namespace = namespaceOf(path);
    const found = fresh ? undefined : (await this.source(workspaceId, namespace))?.find(path);
    return found ?? (await this.source(workspaceId, namespace, { fresh: true }))?.find(path);
  }

  async source(
    workspaceId: string,
    namespace: string,
    options?: { fresh: boolean },
  ): Promise<OpenedSource | undefined> {
    return this.#builtIn.get(namespace) ?? this.#workspace(workspaceId).open(namespace, options);
  }

  /**
   * The paths that were probably meant instead, in the source that was probably meant; or the same one where its source was not named.
   * Whoever must not know of a tool is told the same as where there is none.
   */
  async nearest(
    workspaceId: string,
    path: string,
    isKnown: (tool: CatalogRow) => boolean,
  ): Promise<NearPaths> {
    const namespace = namespaceOf(path);
    const inOthers = await this.#withNamespace(workspaceId, path, isKnown);
    const meant = await this.nearestNamespace(workspaceId, namespace);
    const source = meant === undefined ? undefined : await this.source(workspaceId, meant);
    if (source === undefined) return { slips: inOthers, alike: [] };
    const wanted = `${meant}${path.slice(namespace.length)}`;
    const known = (one: string) => {
      const row = one === path ? undefined : source.toolRow(one);
      return row !== undefined && isKnown(row);
    };
    const all = [...source.pack.paths()];
    const near = nearestPaths(wanted, all);
    // Most are known, and looking at each takes longer than finding them.
    const { slips, alike } = [...near.slips, ...near.alike].every(known)
      ? near
      : nearestPaths(wanted, all.filter(known));
    return { slips: [...inOthers, ...slips], alike };
  }

  async #withNamespace(
    workspaceId: string,
    path: string,
    isKnown: (tool: CatalogRow) => boolean,
  ): Promise<string[]> {
    const namespaces = await this.namespaces(workspaceId);
    if (namespaces.includes(namespaceOf(path))) return [];
    const found: string[] = [];
    for (const namespace of namespaces) {
      const row = (await this.source(workspaceId, namespace))?.toolRow(`${namespace}.${path}`);
      if (row && isKnown(row)) found.push(row.path);
    }
    return found;
  }

  async nearestNamespace(workspaceId: string, namespace: string): Promise<string | undefined> {
    const taken = await this.namespaces(workspaceId);
    return taken.includes(namespace) ? namespace : nearest(namespace, taken);
  }

  /** All names that are taken. */
  async namespaces(workspaceId: string): Promise<string[]> {
    return [...this.#builtIn.keys(), ...(await this.rows(workspaceId)).map((row) => row.namespace)];
  }

  /** Namespaces that a source cannot get: those in use, and the former ones of other sources. */
  async reservedNamespaces(workspaceId: string, except?: SourceRow): Promise<string[]> {
    const rows = await this.rows(workspaceId);
    const others = rows.filter(({ id }) => id !== except?.id);
    const former = others.flatMap(({ provenance }) => provenance.formerNamespaces ?? []);
    return [...this.#builtIn.keys(), ...others.map((row) => row.namespace), ...former];
  }

  /** The workspace's own sources, by namespace. */
  rows(workspaceId: string): Promise<SourceRow[]> {
    return this.#workspace(workspaceId).rows();
  }

  /** With the chunks of all packs kept in one place. */
  openPack(tools: PackedTools): Promise<ToolPack> {
    return ToolPack.open(tools, this.#cache);
  }

  /** What this process has just written: it can be called at once. */
  adopt(row: SourceRow, pack?: ToolPack): void {
    this.#workspace(row.workspaceId).adopt(row, pack);
  }

  /** What is in memory is not what is in the database. */
  forget(workspaceId: string): void {
    this.#workspace(workspaceId).forget();
  }

  drop({ workspaceId, namespace }: Pick<SourceRow, 'workspaceId' | 'namespace'>): void {
    this.#workspace(workspaceId).drop(namespace);
  }

  #workspace(workspaceId: string): WorkspaceCatalog {
    const known = this.#workspaces.get(workspaceId);
    if (known) return known;
    const parts = {
      store: this.#store,
      kinds: this.#kinds,
      cache: this.#cache,
      now: this.#now,
      onOpened: this.#onOpened,
    };
    const opened = new WorkspaceCatalog(workspaceId, parts);
    this.#workspaces.set(workspaceId, opened);
    return opened;
  }
}

/** Nobody says anything of the sources of this process. */
const ungoverned: Omit<GoverningRow, 'id' | 'namespace' | 'settings'> = {
  name: '',
  auth: { type: 'none' },
  authId: '',
  approval: {},
  edits: {},
  unseen: [],
  baseUrl: null,
  security: [],
  provenance: {},
};

function namespaceOf(path: string): string {
  return path.split('.', 1)[0] ?? '';
}

/** A source must not name its tools as those of another one. */
export function requireNamespace(namespace: string, pack: ToolPack): void {
  for (const path of pack.paths()) {
    if (path !== namespace && !path.startsWith(`${namespace}.`))
      throw new RangeError(`The source ${namespace} has a tool of another name: ${path}.`);
  }
}

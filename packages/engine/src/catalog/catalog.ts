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

/** A source that is part of this process. Every workspace has it, under the same namespace. */
export interface ConnectedSource {
  namespace: string;
  source: Source;
  settings: SourceSettings;
}

interface Dependencies {
  store: Pick<Store, 'sources' | 'subscribe'>;
  /** The implementations of sources, one for each kind. */
  kinds: readonly Source[];
  now: () => Date;
  /** Called when the tools of a source are opened. */
  onOpened?(pack: ToolPack, replaced?: ToolPack): void;
  onProblem?(message: string, details: Record<string, unknown>): void;
}

/** All tools by path: those of the built-in sources, and those of each workspace's own sources. */
export class Catalog {
  readonly #store: Dependencies['store'];
  readonly #now: () => Date;
  readonly #onOpened: (pack: ToolPack, replaced?: ToolPack) => void;
  readonly #onProblem: (message: string, details: Record<string, unknown>) => void;
  readonly #kinds: ReadonlyMap<string, Source>;
  readonly #cache = new ChunkCache();
  readonly #builtIn = new Map<string, OpenedSource>();
  readonly #workspaces = new Map<string, WorkspaceCatalog>();

  constructor({ store, kinds, now, onOpened = () => {}, onProblem = () => {} }: Dependencies) {
    this.#store = store;
    this.#now = now;
    this.#onOpened = onOpened;
    this.#onProblem = onProblem;
    this.#kinds = new Map(kinds.map((source) => [source.kind, source]));
    store.subscribe((change) => {
      if (change.type !== 'sources') return;
      const workspace = this.#workspaces.get(change.workspaceId);
      workspace?.forget();
      workspace?.catchUp();
    });
  }

  async connect({ namespace, source, settings }: ConnectedSource, signal: AbortSignal): Promise<void> {
    const { tools } = await source.load(settings, { sourceId: namespace, namespace, signal });
    const pack = await ToolPack.open(tools, this.#cache);
    requireNamespace(namespace, pack);
    this.#onOpened(pack);
    this.#builtIn.set(
      namespace,
      new OpenedSource(source, { ...builtInRow, id: namespace, namespace, settings }, pack),
    );
  }

  /** Finds a tool of an opened source, synchronously. If the result is undefined, `seek` can still find the tool. */
  find(workspaceId: string, path: string): FoundTool | undefined {
    const namespace = namespaceOf(path);
    const source = this.#builtIn.get(namespace) ?? this.#workspace(workspaceId).peek(namespace);
    return source?.find(path);
  }

  /**
   * Finds a tool and opens its source if necessary. It reads the database again for an unknown tool; with `fresh`, it
   * does so at once.
   */
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
   * Paths similar to an unknown one, in the source with the nearest namespace. A path without its namespace is also
   * found. Tools that `isKnown` rejects are treated as if they did not exist.
   */
  async nearest(
    workspaceId: string,
    path: string,
    isKnown: (tool: CatalogRow) => boolean,
  ): Promise<NearPaths> {
    const namespace = namespaceOf(path);
    const inOthers = await this.#withNamespace(workspaceId, path, isKnown);
    const nearestName = await this.nearestNamespace(workspaceId, namespace);
    const source = nearestName === undefined ? undefined : await this.source(workspaceId, nearestName);
    if (source === undefined) return { slips: inOthers, alike: [] };
    const wanted = `${nearestName}${path.slice(namespace.length)}`;
    const known = (one: string) => {
      const row = one === path ? undefined : source.toolRow(one);
      return row !== undefined && isKnown(row);
    };
    const all = [...source.pack.paths()];
    const near = nearestPaths(wanted, all);
    // Usually all candidates are known, and checking every path takes longer than the search.
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

  /** All namespaces in use. */
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

  /** The row of a source that this process has used, whatever its workspace. */
  known(sourceId: string): SourceRow | undefined {
    for (const workspace of this.#workspaces.values()) {
      const row = workspace.known(sourceId);
      if (row) return row;
    }
    return undefined;
  }

  /** Opens a pack with the shared cache of chunks. */
  openPack(tools: PackedTools): Promise<ToolPack> {
    return ToolPack.open(tools, this.#cache);
  }

  /** Adds a source that this process has just written, so that its tools can be called at once. */
  adopt(row: SourceRow, pack?: ToolPack): void {
    this.#workspace(row.workspaceId).adopt(row, pack);
  }

  /** Marks the sources in memory as outdated. */
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
      onProblem: this.#onProblem,
    };
    const opened = new WorkspaceCatalog(workspaceId, parts);
    this.#workspaces.set(workspaceId, opened);
    return opened;
  }
}

/** The settings of a built-in source, which users cannot change. */
const builtInRow: Omit<GoverningRow, 'id' | 'namespace' | 'settings'> = {
  name: '',
  description: null,
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

/** Rejects a source whose tools are outside of its namespace. */
export function requireNamespace(namespace: string, pack: ToolPack): void {
  for (const path of pack.paths()) {
    if (path !== namespace && !path.startsWith(`${namespace}.`))
      throw new RangeError(`The source ${namespace} has a tool outside of its namespace: ${path}.`);
  }
}

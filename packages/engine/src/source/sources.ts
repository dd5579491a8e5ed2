import { isDeepStrictEqual } from 'node:util';
import {
  type ChangedSource,
  type DetectedSource,
  ExecutorError,
  type PageQuery,
  type Principal,
  type Provider,
  type SourceProblem,
  type SourceProgress,
  type SourceRefresh,
  type Source as SourceView,
  type ToolQuery,
  type ToolSummary,
} from '@executor/protocol';
import { requireConnectable } from '../auth/client-certificate.ts';
import type { Catalog } from '../catalog/catalog.ts';
import type { CatalogRow, OpenedSource } from '../catalog/opened-source.ts';
import type { Clock } from '../clock.ts';
import { newId } from '../id.ts';
import { onlyPerson } from '../identity/only-person.ts';
import type { Policies } from '../policy/policies.ts';
import type { AccessProbe } from '../ports/access-probe.ts';
import type { Page } from '../ports/page.ts';
import type { Source, SourceLogLine, SourceSettings } from '../ports/source.ts';
import type { SourceProvenance, SourceRow } from '../ports/source-store.ts';
import type { Store } from '../ports/store.ts';
import { findProviders } from '../provider/providers.ts';
import { shownOrigins } from './call-origins.ts';
import { ChangeNotices } from './change-notices.ts';
import { detectSource } from './detection/detect-source.ts';
import { requireKnownSchemes } from './document/known-schemes.ts';
import { Loads } from './document/loads.ts';
import { type SourceDocumentStream, streamDocument } from './document/stream-document.ts';
import { auditOf, type Initiator, systemFor } from './initiator.ts';
import { kindOf, requireFitting } from './kinds.ts';
import { renameSource } from './rename-source.ts';
import { secretsChanged, withoutSecrets } from './secret-settings.ts';
import { approvalAfter, authAfter, changeDetails, provenanceAfter, settingsAfter } from './source-change.ts';
import { SourceReader } from './source-reader.ts';
import type { ChangeRequest, SourceRequest } from './source-request.ts';
import { sourceView, sourceViewForPeople } from './source-view.ts';
import { editTools } from './tool/edit-tools.ts';
import { countSuggestions, type ToolDifference } from './tool/tool-difference.ts';
import { filterTools } from './tool/tool-filter.ts';
import { toolSummary } from './tool/tool-view.ts';

interface Dependencies {
  store: Pick<Store, 'sources' | 'policies'>;
  catalog: Catalog;
  kinds: readonly Source[];
  accessProbe?: AccessProbe | undefined;
  policies: Pick<Policies, 'outlook'>;
  now: () => Date;
  clock: Pick<Clock, 'after'>;
  onProblem(message: string, details: Record<string, unknown>): void;
}

/** How often a change is retried after concurrent changes of the same source. */
const maxTries = 5;

/** The connected systems of a workspace. People add and change them; agents see them and their tools. */
export class Sources {
  readonly #deps: Dependencies;
  readonly #loads: Loads;
  readonly #reader: SourceReader;
  #problems: { workspaceId: string; problems: SourceProblem[] } | undefined;

  constructor(dependencies: Dependencies) {
    this.#deps = dependencies;
    this.#loads = new Loads(dependencies.now);
    this.#reader = new SourceReader({ ...dependencies, loads: this.#loads });
    new ChangeNotices({
      ...dependencies,
      stopping: this.#loads.stopping,
      refresh: (row) => this.#reader.refresh(systemFor(row), row),
    });
  }

  async list(
    { workspaceId, kind }: Principal,
    { cursor, limit }: PageQuery,
  ): Promise<Page<SourceView> & { loading: SourceProgress[]; problems: SourceProblem[] }> {
    const rows = await this.#deps.catalog.rows(workspaceId);
    const from = cursor === undefined ? 0 : rows.findIndex(({ id }) => id === cursor) + 1;
    const items = rows.slice(from, from + limit).map((row) => this.#view(row));
    const next = from + limit < rows.length ? items.at(-1)?.id : undefined;
    const mine = kind === 'person' && this.#problems?.workspaceId === workspaceId;
    return {
      items,
      ...(next !== undefined && { nextCursor: next }),
      loading: this.#loads.of(workspaceId),
      problems: mine ? (this.#problems?.problems ?? []) : [],
    };
  }

  /** Finds a source by its id or namespace. */
  async get(
    { workspaceId, kind }: Pick<Principal, 'workspaceId'> & Partial<Principal>,
    name: string,
  ): Promise<SourceView> {
    const row = await this.#row(workspaceId, name);
    return kind === 'person' ? this.#viewForPeople(row) : this.#view(row);
  }

  async add(principal: Principal, request: SourceRequest): Promise<SourceView> {
    onlyPerson(principal, 'connect a system');
    return this.#viewForPeople(await this.#reader.add({ principal }, request));
  }

  /** Adds a source without checking the principal. The caller has made sure that a user wants it. */
  async addAs(initiator: Initiator, request: SourceRequest): Promise<SourceView> {
    return this.#view(await this.#reader.add(initiator, request));
  }

  /** Returns the source that the same request has made before, or adds it. */
  async ensureAs(
    initiator: Initiator,
    request: SourceRequest,
    provenance?: SourceProvenance,
  ): Promise<SourceView> {
    const existing = await this.#reader.findSame(initiator.principal.workspaceId, request);
    const options = { once: true, ...(provenance && { provenance }) };
    return this.#view(existing ?? (await this.#reader.add(initiator, request, options)));
  }

  /** Throws if it is known before any review that the request of a run's code would fail. */
  async requireAddable(workspaceId: string, request: SourceRequest): Promise<void> {
    if ((await this.#reader.findSame(workspaceId, request)) === undefined)
      await this.#reader.requireAddable(workspaceId, request, { byCode: true });
  }

  async detect(
    principal: Principal,
    question: { url: string; allowPrivateNetwork?: boolean | undefined },
  ): Promise<DetectedSource> {
    onlyPerson(principal, 'look for a system');
    return detectSource(principal.workspaceId, question, this.#deps);
  }

  /** The well-known systems that can be added by name. */
  providers(principal: Principal, query?: string): Provider[] {
    onlyPerson(principal, 'list the providers');
    return findProviders(this.#deps.kinds, query);
  }

  async refresh(principal: Principal, name: string): Promise<SourceRefresh> {
    onlyPerson(principal, 'refresh a source');
    return this.refreshAs({ principal }, name);
  }

  async refreshAs(initiator: Initiator, name: string): Promise<SourceRefresh> {
    const row = await this.#row(initiator.principal.workspaceId, name);
    const { row: written, ...refresh } = await this.#reader.refresh(initiator, row);
    const isText = written.document !== null && written.settings.url === undefined;
    return {
      source: this.#view(written),
      ...refresh,
      ...(isText && { note: noteOnText(written.namespace) }),
    };
  }

  async update(principal: Principal, name: string, change: ChangeRequest): Promise<ChangedSource> {
    onlyPerson(principal, 'change a source');
    if (change.namespace !== undefined) return this.#rename(principal, name, change);
    const { row, difference } = await this.updateAs({ principal }, name, change);
    return { ...this.#viewForPeople(row), ...(difference && { difference }) };
  }

  /** `provenance` replaces facts in the provenance of the source. */
  async updateAs(
    initiator: Initiator,
    name: string,
    change: ChangeRequest,
    provenance?: Partial<SourceProvenance>,
  ): Promise<{ row: SourceRow; difference?: ToolDifference }> {
    const changed = Object.keys(change).filter((key) => change[key as keyof ChangeRequest] !== undefined);
    if (changed.length === 0 && provenance === undefined) {
      throw new ExecutorError(
        'invalidRequest',
        'Nothing to change: set a setting, tools, seen or acceptSuggestions.',
      );
    }
    requireConnectable(change);
    const { workspaceId } = initiator.principal;
    const apply = (row: SourceRow) => this.#changed(row, change, provenance);
    const auditDetails = (before: SourceRow, row: SourceRow) => changeDetails(before, row, changed);
    for (let tries = 0; tries < maxTries; tries++) {
      const before = await this.#row(workspaceId, name);
      const row = await apply(before);
      const { document, files } = change;
      if (this.#needsReading(before, row, change)) {
        const reloaded = await this.#reader.reload(initiator, before, {
          apply,
          document,
          files,
          change,
          auditDetails,
        });
        const { added, changed: changedTools, removed } = reloaded;
        return { row: reloaded.row, difference: { added, changed: changedTools, removed } };
      }
      requireKnownSchemes(change, before);
      const written = await this.#write(initiator, row, auditDetails(before, row));
      if (written) return { row: written };
    }
    throw concurrentChanges(name);
  }

  async #rename(
    principal: Principal,
    name: string,
    { namespace: to = '', confirmRules, ...others }: ChangeRequest,
  ): Promise<ChangedSource> {
    if (Object.values(others).some((value) => value !== undefined)) {
      throw new ExecutorError('invalidRequest', 'namespace: rename a source in a request of its own.');
    }
    for (let tries = 0; tries < maxTries; tries++) {
      const before = await this.#row(principal.workspaceId, name);
      const { namespace: from } = before;
      if (from === to) return this.#viewForPeople(before);
      const renamed = await renameSource(principal, before, { to, confirmRules }, this.#deps);
      if (renamed) return { ...this.#viewForPeople(renamed.row), renamed: { from, rules: renamed.rules } };
    }
    throw concurrentChanges(name);
  }

  async remove(principal: Principal, name: string): Promise<void> {
    onlyPerson(principal, 'disconnect a system');
    return this.removeAs({ principal }, name);
  }

  async removeAs(initiator: Initiator, name: string): Promise<void> {
    const { catalog, store, now } = this.#deps;
    const row = await this.#row(initiator.principal.workspaceId, name);
    const { id, workspaceId, namespace, kind, toolCount } = row;
    const details = { namespace, kind, toolCount };
    const audit = auditOf(initiator, now(), { action: 'source.removed', target: id, details });
    const removed = await store.sources.remove(workspaceId, id, audit);
    catalog.drop(row);
    if (!removed) throw await this.#noSuchSource(workspaceId, name);
  }

  async tools(
    principal: Principal,
    name: string,
    { cursor, limit, ...query }: ToolQuery,
  ): Promise<Page<ToolSummary> & { total: number }> {
    const opened = await this.#opened(principal.workspaceId, name);
    const approvalOf = await this.#deps.policies.outlook(principal);
    // Agents do not see denied tools.
    const isVisible = (row: CatalogRow) => principal.kind === 'person' || approvalOf(row) !== 'deny';
    const found = await filterTools(opened, query, isVisible);
    const from = Number.parseInt(cursor ?? '0', 10) || 0;
    const items = found.slice(from, from + limit).map((row) => toolSummary(row, approvalOf(row)));
    const next = from + limit < found.length ? String(from + limit) : undefined;
    return { items, total: found.length, ...(next !== undefined && { nextCursor: next }) };
  }

  /** The document of a source, or one of its files. */
  async document(principal: Principal, name: string, file?: string): Promise<SourceDocumentStream> {
    onlyPerson(principal, 'read the document of a source');
    return streamDocument(await this.#row(principal.workspaceId, name), file, this.#deps.store.sources);
  }

  /** Sets the list of configured sources that could not be connected. */
  setProblems(workspaceId: string, problems: SourceProblem[]): void {
    this.#problems = { workspaceId, problems };
  }

  /** Aborted when the process ends. */
  get stopping(): AbortSignal {
    return this.#loads.stopping;
  }

  /** The latest lines that the system of a source wrote in this process. */
  async logs(principal: Principal, name: string): Promise<SourceLogLine[]> {
    onlyPerson(principal, 'read the log of a source');
    const { id, kind, namespace } = await this.#row(principal.workspaceId, name);
    const source = kindOf(this.#deps.kinds, kind);
    if (source.logs) return source.logs(id);
    throw new ExecutorError(
      'invalidRequest',
      `${namespace} has no log: sources of the kind ${kind} write none.`,
    );
  }

  /** Cancels all loads, because the process ends. */
  stop(): void {
    this.#loads.stop();
  }

  /** Closes the connections of all sources. Calls must have ended. */
  async close(): Promise<void> {
    const closed = await Promise.allSettled(this.#deps.kinds.map(async (source) => source.close?.()));
    const failed = closed.find(({ status }) => status === 'rejected');
    if (failed) throw (failed as PromiseRejectedResult).reason;
  }

  async #changed(
    before: SourceRow,
    change: ChangeRequest,
    provenance: Partial<SourceProvenance> = {},
  ): Promise<SourceRow> {
    const at = this.#deps.now();
    const { name } = change;
    const nextProvenance = { ...provenanceAfter(before.provenance, change), ...provenance };
    const source = kindOf(this.#deps.kinds, before.kind);
    const settings = settingsAfter(before, change, nextProvenance);
    requireFitting(source, settings, change);
    const auth = authAfter(before, change.auth);
    const hasSameSecrets =
      isDeepStrictEqual(auth, before.auth) && !secretsChanged(source, before.settings, settings);
    return {
      ...before,
      name: name ?? before.name,
      settings,
      provenance: nextProvenance,
      origins: await this.#origins(before, settings),
      ...(!hasSameSecrets && { auth, authId: newId('ath', at) }),
      approval: approvalAfter(before.approval, change.approval),
      ...(await this.#toolDecisions(before, change)),
      updatedAt: at,
      revision: before.revision + 1,
    };
  }

  /** Whether the system has to be loaded again before the change can apply. */
  #needsReading(before: SourceRow, { settings }: SourceRow, change: ChangeRequest): boolean {
    if (change.document !== undefined) return true;
    if (isDeepStrictEqual(settings, before.settings)) return false;
    const source = kindOf(this.#deps.kinds, before.kind);
    return source.loadsAgain?.(before.settings, settings) ?? true;
  }

  #view(row: SourceRow): SourceView {
    return sourceView(this.#withoutSecrets(row));
  }

  #viewForPeople(row: SourceRow): SourceView {
    return sourceViewForPeople(this.#withoutSecrets(row));
  }

  #withoutSecrets(row: SourceRow): SourceRow {
    const source = this.#deps.kinds.find(({ kind }) => kind === row.kind);
    // The kind may belong to another version, so nobody knows which of its settings are secret.
    return { ...row, settings: source ? withoutSecrets(source, row.settings) : {} };
  }

  /** A change of the base URL changes the origins of calls without reading the document again. */
  async #origins(before: SourceRow, settings: SourceSettings): Promise<string[]> {
    if (settings.baseUrl === before.settings.baseUrl) return before.origins;
    const { pack } = await this.#opened(before.workspaceId, before.namespace);
    return shownOrigins({ settings, baseUrl: before.baseUrl }, pack.rows());
  }

  async #toolDecisions(before: SourceRow, change: ChangeRequest): Promise<Partial<SourceRow>> {
    const { tools, acceptSuggestions, seen } = change;
    if (tools === undefined && acceptSuggestions === undefined && seen === undefined) return {};
    const { pack } = await this.#opened(before.workspaceId, before.namespace);
    const decisions = editTools(before, change, pack);
    return { ...decisions, suggestionCount: countSuggestions(pack.rows(), decisions.edits) };
  }

  async #write(
    initiator: Initiator,
    row: SourceRow,
    details: Record<string, unknown>,
  ): Promise<SourceRow | undefined> {
    const { store, catalog } = this.#deps;
    const audit = auditOf(initiator, row.updatedAt, { action: 'source.updated', target: row.id, details });
    if (!(await store.sources.replace(row, undefined, audit))) return undefined;
    catalog.adopt(row);
    return row;
  }

  async #row(workspaceId: string, name: string): Promise<SourceRow> {
    const hasName = (row: SourceRow) => row.id === name || row.namespace === name;
    const known = (await this.#deps.catalog.rows(workspaceId)).find(hasName);
    const row = known && (await this.#deps.store.sources.find(workspaceId, known.id));
    const found = row ?? (await this.#deps.store.sources.all(workspaceId)).find(hasName);
    if (found) return found;
    throw await this.#noSuchSource(workspaceId, name);
  }

  async #opened(workspaceId: string, name: string): Promise<OpenedSource> {
    const { catalog } = this.#deps;
    const builtIn = await catalog.source(workspaceId, name);
    const opened =
      builtIn ?? (await catalog.source(workspaceId, (await this.#row(workspaceId, name)).namespace));
    if (opened) return opened;
    throw await this.#noSuchSource(workspaceId, name);
  }

  async #noSuchSource(workspaceId: string, name: string): Promise<ExecutorError> {
    const similar = await this.#deps.catalog.nearestNamespace(workspaceId, name);
    const hint = similar === undefined || similar === name ? '' : ` Did you mean "${similar}"?`;
    return new ExecutorError(
      'notFound',
      `There is no source "${name}".${hint} \`executor sources\` lists them.`,
      { details: { ...(hint && { nearest: similar }) } },
    );
  }
}

function noteOnText(namespace: string): string {
  return `The document of ${namespace} is a file or text, which Executor does not read again. To replace it, run: executor sources edit ${namespace} --document FILE`;
}

function concurrentChanges(name: string): ExecutorError {
  return new ExecutorError('conflict', `The source ${name} is being changed by others. Try again.`);
}

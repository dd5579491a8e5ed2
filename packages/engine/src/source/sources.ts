import { isDeepStrictEqual } from 'node:util';
import {
  type ChangedSource,
  type DetectedSource,
  ExecutorError,
  type NewSource,
  type PageQuery,
  type Principal,
  type SourceChange,
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
import { newId } from '../id.ts';
import { onlyPerson } from '../identity/only-person.ts';
import type { Policies } from '../policy/policies.ts';
import type { Page } from '../ports/page.ts';
import type { Source, SourceSettings } from '../ports/source.ts';
import type { SourceProvenance, SourceRow } from '../ports/source-store.ts';
import type { Store } from '../ports/store.ts';
import { shownOrigins } from './call-origins.ts';
import { detectSource } from './document/detect-source.ts';
import { requireKnownNames } from './document/known-names.ts';
import { Loads } from './document/loads.ts';
import { type SourceDocumentStream, streamDocument } from './document/stream-document.ts';
import { auditOf, type Initiator } from './initiator.ts';
import { requireFree } from './namespace.ts';
import { affectedRules, renamedSource, requireConfirmed } from './rename-source.ts';
import { approvalAfter, authAfter, changeDetails, provenanceAfter, settingsAfter } from './source-change.ts';
import { SourceReader } from './source-reader.ts';
import { sourceView, sourceViewForPeople } from './source-view.ts';
import { editTools } from './tool/edit-tools.ts';
import { countSuggestions, type ToolDifference } from './tool/tool-difference.ts';
import { filterTools } from './tool/tool-filter.ts';
import { toolSummary } from './tool/tool-view.ts';

interface Dependencies {
  store: Pick<Store, 'sources' | 'policies'>;
  catalog: Catalog;
  kinds: readonly Source[];
  policies: Pick<Policies, 'outlook'>;
  now: () => Date;
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
  }

  async list(
    { workspaceId, kind }: Principal,
    { cursor, limit }: PageQuery,
  ): Promise<Page<SourceView> & { loading: SourceProgress[]; problems: SourceProblem[] }> {
    const rows = await this.#deps.catalog.rows(workspaceId);
    const from = cursor === undefined ? 0 : rows.findIndex(({ id }) => id === cursor) + 1;
    const items = rows.slice(from, from + limit).map(sourceView);
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
    return kind === 'person' ? sourceViewForPeople(row) : sourceView(row);
  }

  async add(principal: Principal, request: NewSource): Promise<SourceView> {
    onlyPerson(principal, 'connect a system');
    return sourceViewForPeople(await this.#reader.add({ principal }, request));
  }

  /** Adds a source without checking the principal. The caller has made sure that a user wants it. */
  async addAs(initiator: Initiator, request: NewSource): Promise<SourceView> {
    return sourceView(await this.#reader.add(initiator, request));
  }

  /** Returns the source that the same request has made before, or adds it. */
  async ensureAs(
    initiator: Initiator,
    request: NewSource,
    provenance?: SourceProvenance,
  ): Promise<SourceView> {
    const existing = await this.#reader.findSame(initiator.principal.workspaceId, request);
    const options = { once: true, ...(provenance && { provenance }) };
    return sourceView(existing ?? (await this.#reader.add(initiator, request, options)));
  }

  /** Throws if it is known before any review that the request would fail. */
  async requireAddable(workspaceId: string, request: NewSource): Promise<void> {
    if ((await this.#reader.findSame(workspaceId, request)) === undefined)
      await this.#reader.requireAddable(workspaceId, request);
  }

  async detect(
    principal: Principal,
    question: { url: string; allowPrivateNetwork?: boolean | undefined },
  ): Promise<DetectedSource> {
    onlyPerson(principal, 'look for a system');
    return detectSource(principal.workspaceId, question, this.#deps);
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
      source: sourceView(written),
      ...refresh,
      ...(isText && { note: noteOnText(written.namespace) }),
    };
  }

  async update(principal: Principal, name: string, change: SourceChange): Promise<ChangedSource> {
    onlyPerson(principal, 'change a source');
    if (change.namespace !== undefined) return this.#rename(principal, name, change);
    const { row, difference } = await this.updateAs({ principal }, name, change);
    return { ...sourceViewForPeople(row), ...(difference && { difference }) };
  }

  /** `provenance` replaces facts in the provenance of the source. */
  async updateAs(
    initiator: Initiator,
    name: string,
    change: SourceChange,
    provenance?: Partial<SourceProvenance>,
  ): Promise<{ row: SourceRow; difference?: ToolDifference }> {
    const changed = Object.keys(change).filter((key) => change[key as keyof SourceChange] !== undefined);
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
      if (needsReading(before, row, change)) {
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
      requireKnownNames(change, { security: before.security });
      const written = await this.#write(initiator, row, auditDetails(before, row));
      if (written) return { row: written };
    }
    throw concurrentChanges(name);
  }

  async #rename(
    principal: Principal,
    name: string,
    { namespace: to = '', confirmRules, ...others }: SourceChange,
  ): Promise<ChangedSource> {
    if (Object.values(others).some((value) => value !== undefined)) {
      throw new ExecutorError('invalidRequest', 'namespace: rename a source in a request of its own.');
    }
    const { catalog, store, now } = this.#deps;
    for (let tries = 0; tries < maxTries; tries++) {
      const before = await this.#row(principal.workspaceId, name);
      const from = before.namespace;
      if (from === to) return sourceViewForPeople(before);
      requireFree(to, await catalog.reservedNamespaces(principal.workspaceId, before));
      // Not older than `before`: the tools are written again with the row.
      const opened = await catalog.source(principal.workspaceId, from, { fresh: true });
      if (opened === undefined) throw await this.#noSuchSource(principal.workspaceId, name);
      const { pack } = opened;
      const paths = [...pack.paths()];
      const rules = affectedRules(await store.policies.all(principal.workspaceId), { from, to }, paths);
      requireConfirmed(rules, confirmRules, { from, to });
      const at = now();
      const { row, tools } = await renamedSource(before, pack, { to, at });
      const rewritten = rules.flatMap(({ id, pattern, newPattern }) =>
        newPattern === undefined ? [] : [{ id, from: pattern, to: newPattern }],
      );
      const audit = [
        auditOf({ principal }, at, {
          action: 'source.updated',
          target: row.id,
          details: { namespace: to, changed: ['namespace'], formerNamespace: from },
        }),
        ...rewritten.map((rule) =>
          auditOf({ principal }, at, {
            action: 'policy.updated',
            target: rule.id,
            details: { before: { pattern: rule.from }, after: { pattern: rule.to }, renamedSource: row.id },
          }),
        ),
      ];
      if (await store.sources.rename(row, tools, rewritten, audit)) {
        catalog.adopt(row, await catalog.openPack(tools));
        return { ...sourceViewForPeople(row), renamed: { from, rules } };
      }
      catalog.forget(principal.workspaceId);
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

  /** Cancels all loads, because the process ends. */
  stop(): void {
    this.#loads.stop();
  }

  async #changed(
    before: SourceRow,
    change: SourceChange,
    provenance: Partial<SourceProvenance> = {},
  ): Promise<SourceRow> {
    const at = this.#deps.now();
    const { name } = change;
    const nextProvenance = { ...provenanceAfter(before.provenance, change), ...provenance };
    const settings = settingsAfter(before, change, nextProvenance);
    const auth = authAfter(before, change.auth);
    return {
      ...before,
      name: name ?? before.name,
      settings,
      provenance: nextProvenance,
      origins: await this.#origins(before, settings),
      ...(!isDeepStrictEqual(auth, before.auth) && { auth, authId: newId('ath', at) }),
      approval: approvalAfter(before.approval, change.approval),
      ...(await this.#toolDecisions(before, change)),
      updatedAt: at,
      revision: before.revision + 1,
    };
  }

  /** A change of the base URL changes the origins of calls without reading the document again. */
  async #origins(before: SourceRow, settings: SourceSettings): Promise<string[]> {
    if (settings.baseUrl === before.settings.baseUrl) return before.origins;
    const { pack } = await this.#opened(before.workspaceId, before.namespace);
    return shownOrigins({ settings, baseUrl: before.baseUrl }, pack.rows());
  }

  async #toolDecisions(before: SourceRow, change: SourceChange): Promise<Partial<SourceRow>> {
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

/** Whether the document has to be read before the change can apply. It also has the base URL that applies when the user's one is removed. */
function needsReading(before: SourceRow, { settings }: SourceRow, change: SourceChange): boolean {
  return (
    change.document !== undefined ||
    settings.url !== before.settings.url ||
    (settings.baseUrl === undefined && before.settings.baseUrl !== undefined) ||
    !isDeepStrictEqual(settings.serverVariables ?? {}, before.settings.serverVariables ?? {}) ||
    !isDeepStrictEqual(settings.externalReferences, before.settings.externalReferences)
  );
}

function noteOnText(namespace: string): string {
  return `The document of ${namespace} is a file or text, which Executor does not read again. To replace it, run: executor sources edit ${namespace} --document FILE`;
}

function concurrentChanges(name: string): ExecutorError {
  return new ExecutorError('conflict', `The source ${name} is being changed by others. Try again.`);
}

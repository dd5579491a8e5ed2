import { setImmediate } from 'node:timers/promises';
import { type DiscoveredTools, ExecutorError, type PolicyDecision } from '@executor/protocol';
import type { Policies } from '../../policy/policies.ts';
import type { Discovery, SearchedSource, SearchOutcome } from '../../ports/discovery.ts';
import type { SignatureOptions } from '../../ports/print-thread.ts';
import { CpuMeter } from '../../resource/cpu-meter.ts';
import { Pace } from '../../resource/pace.ts';
import type { Catalog } from '../catalog.ts';
import type { Reader } from '../description/known-tools.ts';
import type { OpenedSource } from '../opened-source.ts';
import { commentText } from '../signature/source-text.ts';
import type { ToolPrinter } from '../signature/tool-printer.ts';
import { hintFor } from './hint.ts';
import type { ModelVectors } from './model-vectors.ts';
import type { SourceIndexes } from './source-indexes.ts';

interface Dependencies {
  catalog: Pick<Catalog, 'source' | 'namespaces' | 'nearestNamespace'>;
  policies: Pick<Policies, 'outlook'>;
  discovery: Pick<Discovery, 'search'>;
  indexes: Pick<SourceIndexes, 'ready'>;
  /** Undefined if search uses no language model. */
  vectors?: Pick<ModelVectors, 'ofRequest'> | undefined;
  printer: ToolPrinter;
}

export interface DiscoverQuery {
  query: string;
  limit?: number | undefined;
  /** Only the tools of this source. */
  namespace?: string | undefined;
  /** How many levels of types the signatures spell out. */
  depth?: number | undefined;
  explain?: boolean | undefined;
}

/** The number of results, if the caller sets no limit. */
const defaultLimit = 10;
/** How long a search waits for the index of a source that was just added. 50,000 tools take some seconds. */
const indexWaitMs = 10_000;
const maxDescriptionChars = 200;
/** The first results are likely to be called and get long signatures. The others only have to be recognised. */
const fullSignatures = 3;
const fullChars = 800;
const shortChars = 180;
/** All signatures of one answer together, and one of them, if the caller sets a depth. */
const maxCharsWithDepth = 100_000;
const maxCharsOfOne = 40_000;
/** After this many results the process handles other work. */
const resultsAtOnce = 5;

/**
 * Finds tools for a request in plain language, and answers with their signatures. The port `Discovery` ranks the tools.
 */
export class ToolFinder {
  readonly #deps: Dependencies;

  constructor(dependencies: Dependencies) {
    this.#deps = dependencies;
  }

  async discover(reader: Reader, request: DiscoverQuery): Promise<DiscoveredTools> {
    const namespaces = await this.#namespaces(reader, request.namespace);
    const { opened, late } = await this.#open(reader, namespaces);
    const meter = reader.meter ?? new CpuMeter();
    const outlook = await this.#deps.policies.outlook(reader);
    const approvalOf = (source: OpenedSource | undefined, path: string): PolicyDecision => {
      const row = source?.toolRow(path);
      return row === undefined ? 'deny' : outlook(row);
    };
    const searched = opened.map((source) => source.searched);
    const vectors = await this.#deps.vectors?.ofRequest(searched, request.query, meter);
    const outcome = await new Pace(meter).take(
      this.#deps.discovery.search(searched, request.query, {
        vectors,
        limit: request.limit ?? defaultLimit,
        explain: request.explain === true,
        isVisible: (source, path) => approvalOf(opened[source]?.source, path) !== 'deny',
      }),
    );
    const results: DiscoveredTools['results'] = [];
    for (const [rank, { source, path, why }] of outcome.found.entries()) {
      if (rank % resultsAtOnce === resultsAtOnce - 1) await setImmediate();
      const from = opened[source]?.source;
      const tool = meter.measure(() => from?.pack.find(path));
      if (tool === undefined) continue;
      const options = signatureOptions(request.depth, rank, outcome.found.length);
      const { signature } = await this.#deps.printer.print(tool, { signature: options }, meter);
      const result = () => ({
        path,
        description: commentText(tool.description, maxDescriptionChars) ?? '',
        signature,
        approval: approvalOf(from, path),
        ...(why && { why }),
      });
      results.push(meter.measure(result));
    }
    const words = new Set(request.query.toLowerCase().split(/[^\p{L}\p{N}_-]+/u));
    const named = namespaces.filter((namespace) => words.has(namespace.toLowerCase()));
    const isNarrowed = request.namespace !== undefined;
    return this.#answer(results, outcome, { namespaces, named, isNarrowed, late });
  }

  #answer(
    results: DiscoveredTools['results'],
    outcome: SearchOutcome,
    scope: Pick<Parameters<typeof hintFor>[0], 'namespaces' | 'named' | 'isNarrowed' | 'late'>,
  ): DiscoveredTools {
    return {
      bestPath: results[0]?.path ?? null,
      ...(outcome.isUnsure && { unsure: true }),
      results,
      total: outcome.total,
      hint: hintFor({ outcome, ...scope }),
    };
  }

  /** The namespaces to search. The tools that search and describe are not results. */
  async #namespaces({ workspaceId }: Reader, wanted: string | undefined): Promise<string[]> {
    const all = await this.#deps.catalog.namespaces(workspaceId);
    if (wanted === undefined)
      return all.filter((namespace) => namespace !== 'discover' && namespace !== 'describe');
    if (all.includes(wanted)) return [wanted];
    const nearest = await this.#deps.catalog.nearestNamespace(workspaceId, wanted);
    const hint = nearest ? `Did you mean ${nearest}?` : `There are: ${all.slice(0, 20).join(', ')}.`;
    throw new ExecutorError('notFound', `There is no source ${wanted.slice(0, 100)}. ${hint}`, {
      details: { namespace: wanted.slice(0, 100), ...(nearest && { nearest }) },
    });
  }

  /** Opens all sources concurrently. `late` lists those without an index yet. */
  async #open({ workspaceId }: Reader, namespaces: string[]) {
    const opened: { source: OpenedSource; searched: SearchedSource }[] = [];
    const late: string[] = [];
    const sources = await Promise.all(
      namespaces.map(async (namespace) => {
        const source = await this.#deps.catalog.source(workspaceId, namespace);
        const index = source && (await this.#deps.indexes.ready(source.pack, indexWaitMs));
        return { namespace, source, index };
      }),
    );
    // The order must not depend on when the sources were added.
    sources.sort((one, other) => (one.namespace < other.namespace ? -1 : 1));
    for (const { namespace, source, index } of sources) {
      if (source && index) opened.push({ source, searched: { namespace, name: source.row.name, index } });
      else if (source) late.push(namespace);
    }
    return { opened, late };
  }
}

/** The more results there are, the shorter are the signatures that a caller asked to spell out. */
function signatureOptions(depth: number | undefined, rank: number, results: number): SignatureOptions {
  if (depth !== undefined)
    return { depth, maxChars: Math.min(maxCharsOfOne, Math.floor(maxCharsWithDepth / results)) };
  return { maxChars: rank < fullSignatures ? fullChars : shortChars };
}

import { ExecutorError, type ToolAuth, type Tool as ToolDetails } from '@executor/protocol';
import { composeAuth } from '../../auth/compose-auth.ts';
import { missingCredentials } from '../../auth/credentials-missing.ts';
import type { Policies } from '../../policy/policies.ts';
import { toolView } from '../../source/tool/tool-view.ts';
import type { Catalog } from '../catalog.ts';
import type { ToolFinder } from '../discovery/tool-finder.ts';
import type { FoundTool } from '../opened-source.ts';
import type { ToolPrinter } from '../signature/tool-printer.ts';
import { type ApprovalOf, approvalFor, type Reader } from './known-tools.ts';
import {
  type Entry,
  entriesOf,
  listBelow,
  listSources,
  type NamespaceListing,
  pathOf,
} from './namespace-listing.ts';
import { nearestNamespace } from './nearest-namespace.ts';
import { type NearTools, nearestTools, type WrongCall } from './nearest-tools.ts';
import { noSuchTool } from './no-such-tool.ts';

interface Dependencies {
  catalog: Pick<Catalog, 'seek' | 'source' | 'nearest' | 'nearestNamespace' | 'namespaces'>;
  policies: Pick<Policies, 'outlook'>;
  discovery: Pick<ToolFinder, 'discover'>;
  printer: ToolPrinter;
}

export interface NamespaceQuery {
  path?: string;
  limit: number;
  cursor?: string;
}

/** Describes tools to callers: one tool, the contents of a namespace, or tools similar to an unknown path. */
export class ToolDescriptions {
  readonly #deps: Dependencies;
  readonly #catalog: Dependencies['catalog'];

  constructor(dependencies: Dependencies) {
    this.#deps = dependencies;
    this.#catalog = dependencies.catalog;
  }

  async get(reader: Reader, path: string, signature: { depth?: number } = {}): Promise<ToolDetails> {
    const found = await this.#catalog.seek(reader.workspaceId, path);
    const approval = found && (await this.#approvalFor(reader))(found.tool);
    if (found && approval) {
      const printed = await this.#deps.printer.print(found.tool, { signature, example: true }, reader.meter);
      const view = () => toolView(found.tool, approval);
      return { ...(reader.meter?.measure(view) ?? view()), ...printed, auth: authState(found) };
    }
    const near = await this.nearest(reader, { path });
    const nearest = near.tools[0]?.path;
    throw new ExecutorError('notFound', noSuchTool(path, near, { wasCalled: false }), {
      details: { path, ...(nearest !== undefined && { nearest }) },
    });
  }

  /** Lists the contents of all sources, of a source, or of a part of one. */
  async namespace(reader: Reader, { path = '', limit, cursor }: NamespaceQuery): Promise<NamespaceListing> {
    const page = { limit, ...(cursor !== undefined && { cursor }) };
    const namespaces = await this.#catalog.namespaces(reader.workspaceId);
    if (path === '') return listSources(await this.#entries(reader, namespaces), page);
    const [namespace = ''] = path.split('.', 1);
    const opened = await this.#catalog.source(reader.workspaceId, namespace);
    const approvalOf = await this.#approvalFor(reader);
    const listing = opened && (await listBelow(opened, path, { approvalOf, page, meter: reader.meter }));
    if (listing) return listing;
    throw await this.#nothingBelow(reader, path, namespaces);
  }

  /** The tools that a caller of an unknown path probably meant. */
  async nearest(reader: Reader, call: WrongCall): Promise<NearTools> {
    return nearestTools(reader, call, { ...this.#deps, approvalOf: await this.#approvalFor(reader) });
  }

  async #entries(reader: Reader, namespaces: string[]): Promise<Entry[]> {
    const approvalOf = await this.#approvalFor(reader);
    const entries: Entry[] = [];
    for (const namespace of namespaces) {
      const opened = await this.#catalog.source(reader.workspaceId, namespace);
      if (opened) entries.push(...(await entriesOf(opened, approvalOf, reader.meter)));
    }
    return entries;
  }

  async #nothingBelow(reader: Reader, path: string, namespaces: string[]): Promise<ExecutorError> {
    const found = await this.#catalog.seek(reader.workspaceId, path);
    const isTool = found && (await this.#approvalFor(reader))(found.tool) !== undefined;
    if (isTool) {
      return new ExecutorError(
        'invalidRequest',
        `${path} is a tool, not a namespace. tools.describe.tool({ path: "${path}" }) describes it.`,
      );
    }
    const known = (await this.#entries(reader, namespaces)).map(pathOf);
    const nearest = await nearestNamespace(reader, path, {
      catalog: this.#catalog,
      approvalOf: await this.#approvalFor(reader),
      known,
    });
    const hint = nearest ? ` Did you mean ${nearest}?` : ` There are: ${known.slice(0, 20).join(', ')}.`;
    return new ExecutorError('notFound', `There are no tools below ${path}.${hint}`, {
      details: { path, ...(nearest !== undefined && { nearest }) },
    });
  }

  #approvalFor(reader: Reader): Promise<ApprovalOf> {
    return approvalFor(reader, this.#deps.policies);
  }
}

/**
 * Whether a call has the credentials that its document requires. It reveals nothing about the credentials themselves.
 */
function authState(found: Pick<FoundTool, 'tool' | 'access'>): ToolAuth {
  const composed = composeAuth(found.access, found.tool.security);
  if (composed.type === 'missing') {
    return { state: 'missing', message: missingCredentials(found, composed).message };
  }
  return { state: Object.keys(composed.auth).length > 0 ? 'ready' : 'notNeeded' };
}

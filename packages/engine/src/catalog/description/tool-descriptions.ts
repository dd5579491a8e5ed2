import { ExecutorError, type PrincipalKind, type Tool as ToolDetails } from '@executor/protocol';
import type { Caller, Policies } from '../../policy/policies.ts';
import { toolView } from '../../source/tool-view.ts';
import type { Catalog } from '../catalog.ts';
import type { CatalogRow } from '../opened-source.ts';
import { exampleOf } from '../signature/example.ts';
import { signatureOf } from '../signature/signature.ts';
import { authState } from './auth-state.ts';
import { countTools, listBelow, listSources, type NamespaceListing } from './namespace-listing.ts';

interface Dependencies {
  catalog: Pick<Catalog, 'seek' | 'source' | 'nearest' | 'namespaces'>;
  policies: Pick<Policies, 'outlook'>;
}

/** Who reads: of what is denied, an agent learns nothing. */
export type Reader = Caller & { kind: PrincipalKind };

export interface NearTool {
  path: string;
  signature: string;
}

export interface NamespaceQuery {
  path?: string;
  limit: number;
  cursor?: string;
}

/** How many tools are offered instead of one that is not there, and how long each is told. */
const mostNear = 3;
const nearChars = 400;

/** Tools as those read them who want to call one. */
export class ToolDescriptions {
  readonly #catalog: Dependencies['catalog'];
  readonly #policies: Dependencies['policies'];

  constructor({ catalog, policies }: Dependencies) {
    this.#catalog = catalog;
    this.#policies = policies;
  }

  async get(reader: Reader, path: string, { depth }: { depth?: number } = {}): Promise<ToolDetails> {
    const found = await this.#catalog.seek(reader.workspaceId, path);
    const approval = found && (await this.#approvalFor(reader))(found.tool);
    if (found && approval) {
      return {
        ...toolView(found.tool, approval),
        signature: signatureOf(found.tool, depth === undefined ? {} : { depth }),
        example: exampleOf(found.tool),
        auth: authState(found),
      };
    }
    const [meant] = (await this.nearest(reader, path)).map((near) => near.path);
    throw new ExecutorError(
      'notFound',
      `There is no tool ${path}.${meant ? ` Did you mean ${meant}?` : ''}`,
      {
        details: { path, ...(meant && { nearest: meant }) },
      },
    );
  }

  /** What there is below a path: all sources, a source, or a part of one. */
  async namespace(reader: Reader, { path = '', limit, cursor }: NamespaceQuery): Promise<NamespaceListing> {
    const page = { limit, ...(cursor !== undefined && { cursor }) };
    const namespaces = await this.#catalog.namespaces(reader.workspaceId);
    if (path === '') return listSources(await this.#counted(reader, namespaces), page);
    const [namespace = ''] = path.split('.', 1);
    const opened = await this.#catalog.source(reader.workspaceId, namespace);
    const approvalOf = await this.#approvalFor(reader);
    const listing = opened && (await listBelow(opened, path, { approvalOf, page }));
    if (listing) return listing;
    throw await this.#nothingBelow(reader, path, namespaces);
  }

  /** The tools that were probably meant, the likeliest first. */
  async nearest(reader: Reader, path: string): Promise<NearTool[]> {
    const approvalOf = await this.#approvalFor(reader);
    const near: NearTool[] = [];
    for (const candidate of await this.#catalog.nearest(reader.workspaceId, path)) {
      const found = await this.#catalog.seek(reader.workspaceId, candidate);
      if (found === undefined || approvalOf(found.tool) === undefined) continue;
      near.push({ path: candidate, signature: signatureOf(found.tool, { maxChars: nearChars }) });
      if (near.length >= mostNear) break;
    }
    return near;
  }

  /** The sources with what the reader may know of; one of which that is nothing is not named. */
  async #counted(reader: Reader, namespaces: string[]): Promise<{ path: string; tools: number }[]> {
    const approvalOf = await this.#approvalFor(reader);
    const counted: { path: string; tools: number }[] = [];
    for (const namespace of namespaces) {
      const opened = await this.#catalog.source(reader.workspaceId, namespace);
      if (opened === undefined) continue;
      const tools = await countTools(opened, (row) => approvalOf(row) !== undefined);
      if (tools > 0 || opened.pack.size === 0) counted.push({ path: namespace, tools });
    }
    return counted;
  }

  async #nothingBelow(reader: Reader, path: string, namespaces: string[]): Promise<ExecutorError> {
    const found = await this.#catalog.seek(reader.workspaceId, path);
    const isTool = found && (await this.#approvalFor(reader))(found.tool) !== undefined;
    if (isTool) {
      return new ExecutorError(
        'invalidRequest',
        `${path} is a tool: nothing is below it. tools.describe.tool({ path: "${path}" }) describes it.`,
      );
    }
    const [meant] = await this.nearest(reader, path);
    const known = (await this.#counted(reader, namespaces)).map((source) => source.path);
    const hint = meant ? ` There is ${meant.path}.` : ` There are: ${known.slice(0, 20).join(', ')}.`;
    return new ExecutorError('notFound', `There are no tools below ${path}.${hint}`, { details: { path } });
  }

  /** Undefined where the reader must not know of the tool. */
  async #approvalFor(reader: Reader) {
    const outlook = await this.#policies.outlook(reader);
    return (tool: CatalogRow) => {
      const approval = outlook(tool);
      return approval === 'deny' && reader.kind === 'agent' ? undefined : approval;
    };
  }
}

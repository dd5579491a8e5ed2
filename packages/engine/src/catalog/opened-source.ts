import { createHash } from 'node:crypto';
import type { SourceApproval, SourceAuth } from '@executor/protocol';
import type { SecurityScheme, Source, SourceSettings, Tool, ToolRow } from '../ports/source.ts';
import type { SourceRow } from '../ports/source-store.ts';
import type { ToolPack } from './tool-pack.ts';

/** What is said of a tool beside what its source says. */
interface Governed {
  namespace: string;
  sourceId: string;
  /** What is decided where no rule matches, where a person chose otherwise than usual. */
  approval: SourceApproval;
  /** It writes, came with a refresh, and nobody has looked at it yet. */
  unseen?: true;
  /** A person said what its effect is. */
  edited?: true;
}

export type CatalogRow = ToolRow & Governed;
export type CatalogTool = Tool & Governed;

export interface FoundTool {
  tool: CatalogTool;
  source: Source;
  settings: SourceSettings;
  access: SourceAccess;
}

/** How its system lets callers in, and with what. */
export interface SourceAccess {
  auth: SourceAuth;
  schemes: SecurityScheme[];
}

/** What decides about the tools of a source and their calls. */
export type GoverningRow = Pick<
  SourceRow,
  | 'id'
  | 'namespace'
  | 'name'
  | 'settings'
  | 'auth'
  | 'authId'
  | 'approval'
  | 'edits'
  | 'unseen'
  | 'baseUrl'
  | 'security'
  | 'provenance'
>;

/** A source whose tools can be found: what its system says of them, and over that what people said. */
export class OpenedSource {
  readonly source: Source;
  readonly row: GoverningRow;
  readonly pack: ToolPack;
  readonly #unseen: ReadonlySet<string>;
  readonly #seal: string;

  constructor(source: Source, row: GoverningRow, pack: ToolPack) {
    this.source = source;
    this.row = row;
    this.pack = pack;
    this.#unseen = new Set(row.unseen);
    this.#seal = sealOf(row);
  }

  find(path: string): FoundTool | undefined {
    const tool = this.pack.find(this.#currentPath(path));
    if (tool === undefined) return undefined;
    const { settings, auth, security } = this.row;
    return {
      tool: { ...this.#govern(tool), version: this.#versionOf(tool), ...timeLimit(settings, tool) },
      source: this.source,
      settings,
      access: { auth, schemes: security },
    };
  }

  toolRow(path: string): CatalogRow | undefined {
    const row = this.pack.row(this.#currentPath(path));
    return row && this.#govern(row);
  }

  /** Code may still use a former namespace of the source. */
  #currentPath(path: string): string {
    const [first = ''] = path.split('.', 1);
    const isFormer = this.row.provenance.formerNamespaces?.includes(first) ?? false;
    return isFormer ? `${this.row.namespace}${path.slice(first.length)}` : path;
  }

  #govern<Row extends ToolRow>(row: Row): Row & Governed {
    const { namespace, id: sourceId, approval, edits } = this.row;
    const edit = Object.hasOwn(edits, row.path) ? edits[row.path] : undefined;
    return {
      ...row,
      ...(edit?.effect !== undefined && { effect: edit.effect }),
      ...(edit?.repeatable !== undefined && { repeatable: edit.repeatable }),
      ...(edit && { edited: true }),
      ...(this.#unseen.has(row.path) && { unseen: true }),
      namespace,
      sourceId,
      approval,
    };
  }

  /** Whatever of the source decides what a call sends decides it too: an approval is for all of that. */
  #versionOf({ version }: ToolRow): string {
    return createHash('sha256').update(`${this.#seal} ${version}`).digest('base64url').slice(0, 32);
  }
}

/** The credentials count by their id: nobody who sees the hash can guess at them. */
function sealOf({ settings, baseUrl, authId }: GoverningRow): string {
  return createHash('sha256')
    .update(JSON.stringify([settings, baseUrl, authId]))
    .digest('base64url');
}

function timeLimit({ timeoutMs }: SourceSettings, tool: Tool): { timeoutMs?: number } {
  const limit = typeof timeoutMs === 'number' ? timeoutMs : tool.timeoutMs;
  return limit === undefined ? {} : { timeoutMs: limit };
}

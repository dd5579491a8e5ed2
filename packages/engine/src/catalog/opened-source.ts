import { createHash } from 'node:crypto';
import type { SourceApproval, SourceAuth } from '@executor/protocol';
import type { SecurityScheme, Source, SourceSettings, Tool, ToolRow } from '../ports/source.ts';
import type { SourceRow } from '../ports/source-store.ts';
import { withoutSecrets } from '../source/secret-settings.ts';
import type { ToolPack } from './tool-pack.ts';

/** Properties of a tool that Executor and its users decide, not the source. */
interface Governance {
  namespace: string;
  sourceId: string;
  /** The decisions for calls without a matching rule, if a user changed the defaults. */
  approval: SourceApproval;
  /** A refresh added this writing tool, and no user has reviewed it yet. */
  unseen?: true;
  /** A user changed its effect. */
  edited?: true;
}

export type CatalogRow = ToolRow & Governance;
export type CatalogTool = Tool & Governance;

export interface FoundTool {
  tool: CatalogTool;
  source: Source;
  settings: SourceSettings;
  access: SourceAccess;
}

/** The credentials of a source, and the security schemes of its system. */
export interface SourceAccess {
  auth: SourceAuth;
  schemes: SecurityScheme[];
}

/** The columns of a source that affect its tools and their calls. */
export type GoverningRow = Pick<
  SourceRow,
  | 'id'
  | 'namespace'
  | 'name'
  | 'description'
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

/** A source with opened tools. Changes that users made override what its document says. */
export class OpenedSource {
  readonly source: Source;
  readonly row: GoverningRow;
  readonly pack: ToolPack;
  readonly #unseen: ReadonlySet<string>;
  readonly #settingsHash: string;

  constructor(source: Source, row: GoverningRow, pack: ToolPack) {
    this.source = source;
    this.row = row;
    this.pack = pack;
    this.#unseen = new Set(row.unseen);
    this.#settingsHash = settingsHash(source, row);
  }

  find(path: string): FoundTool | undefined {
    const tool = this.pack.find(this.#currentPath(path));
    if (tool === undefined) return undefined;
    const { settings, auth, security } = this.row;
    return {
      tool: {
        ...this.#govern(this.#restrict(tool)),
        version: this.#versionOf(tool),
        ...timeLimit(settings, tool),
      },
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

  #govern<Row extends ToolRow>(row: Row): Row & Governance {
    const { namespace, id: sourceId, approval, edits } = this.row;
    const edit = Object.hasOwn(edits, row.path) ? edits[row.path] : undefined;
    // A search asks for hundreds of rows, and most are like this one.
    if (edit === undefined && !this.#unseen.has(row.path)) return { ...row, namespace, sourceId, approval };
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

  /** Decided for each call, because the tool may be of an older version, and the settings may have changed. A user's edit wins. */
  #restrict(tool: Tool): Tool {
    const worst = this.source.worstEffect?.(tool, this.row.settings);
    return worst ? { ...tool, effect: worst.effect, repeatable: worst.repeatable } : tool;
  }

  /** The version covers everything that affects what a call sends, because an approval is bound to it. */
  #versionOf({ version }: ToolRow): string {
    return createHash('sha256').update(`${this.#settingsHash} ${version}`).digest('base64url').slice(0, 32);
  }
}

/** The hash covers credentials and secret settings by their id, so that nobody can guess secrets from it. */
function settingsHash(source: Source, { settings, baseUrl, authId }: GoverningRow): string {
  return createHash('sha256')
    .update(JSON.stringify([withoutSecrets(source, settings), baseUrl, authId]))
    .digest('base64url');
}

function timeLimit({ timeoutMs }: SourceSettings, tool: Tool): { timeoutMs?: number } {
  const limit = timeoutMs ?? tool.timeoutMs;
  return limit === undefined ? {} : { timeoutMs: limit };
}

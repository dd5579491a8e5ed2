import type { SourceApproval, SourceAuth } from '@executor/protocol';
import type { NewAuditEntry } from './audit-store.ts';
import type {
  Effect,
  PackedTools,
  SecurityScheme,
  SourceDocument,
  SourceFile,
  SourceSettings,
  SourceWarning,
} from './source.ts';

export interface SourceRow {
  id: string;
  workspaceId: string;
  /** Unique in its workspace. */
  namespace: string;
  kind: string;
  name: string;
  settings: SourceSettings;
  /** Stored in plain text until there is a vault. */
  auth: SourceAuth;
  /** Changes with the credentials. Logs and audits name this id instead of the credentials. */
  authId: string;
  /** Decisions for calls that no rule matches, if a user changed the defaults. */
  approval: SourceApproval;
  /** A user's decisions about single tools, by path. */
  edits: Record<string, ToolEdit>;
  /** Paths of tools that a refresh added or changed and that nobody has reviewed yet. */
  unseen: string[];
  title: string | null;
  /** What the system says about itself. */
  description: string | null;
  baseUrl: string | null;
  /** The origins of its calls: that of the base URL first, then those of single tools. */
  origins: string[];
  provenance: SourceProvenance;
  security: SecurityScheme[];
  warnings: SourceWarning[];
  toolCount: number;
  /** The number of tools with evidence that they do less than their effect says, which no user has judged yet. */
  suggestionCount: number;
  document: KeptDocument | null;
  /** The id of the content that belongs to this row. Each load creates a new one. */
  contentId: string;
  /** Counts the changes. A writer names the revision that it has seen. */
  revision: number;
  createdBy: string;
  createdAt: Date;
  updatedAt: Date;
  loadedAt: Date;
}

/** A document without its pieces, which are stored as content. */
export interface KeptDocument extends Omit<SourceDocument, 'pieces' | 'files'> {
  /** `pieces` is the number of pieces of a file. The pieces of all files are stored in this order. */
  files?: (Omit<SourceFile, 'pieces'> & { pieces: number })[];
}

/** Facts about how the source was added and changed that its settings do not show. */
export interface SourceProvenance {
  /** The URL that the user typed, if the document was found at another one. */
  url?: string;
  /** A user decided whether it may reach private networks. See source/network/network-reach.ts. */
  privateNetwork?: true;
  /** The user or the configuration handed its document over. See source/network/network-reach.ts. */
  handedOver?: true;
  /** Earlier namespaces. They still resolve to the source, and no other source may take them. */
  formerNamespaces?: string[];
  /** Its document named it in the run of an agent. No person has seen the name yet, so texts for models leave it out. */
  unconfirmedName?: true;
  /** The configuration entry that was applied last: its hash and the fields that it sets. */
  configured?: { hash: string; fields: string[] };
}

export interface ToolEdit {
  effect?: Effect | undefined;
  repeatable?: boolean | undefined;
}

/** The data of a source that is too large for its row. */
export interface SourceContent {
  tools: PackedTools;
  document: Uint8Array[];
  /** The pieces of its other files, file by file. */
  files: Uint8Array[];
}

export type SourceRevision = Pick<SourceRow, 'id' | 'revision'>;

export interface SourceStore {
  /** The sources of a workspace, sorted by namespace. */
  all(workspaceId: string): Promise<SourceRow[]>;
  /** Only ids and revisions. A source whose revision is unchanged is unchanged. */
  revisions(workspaceId: string): Promise<SourceRevision[]>;
  find(workspaceId: string, id: string): Promise<SourceRow | undefined>;
  /** Returns false if the namespace is taken. */
  create(row: SourceRow, content: SourceContent, audit: NewAuditEntry): Promise<boolean>;
  /**
   * Replaces the row with the revision `row.revision - 1`, and its content if there is new content. Returns false if another writer was
   * first or the source is gone.
   */
  replace(row: SourceRow, content: SourceContent | undefined, audit: NewAuditEntry): Promise<boolean>;
  /**
   * Replaces the row, its packed tools and the patterns of rules in one transaction. Returns false if the namespace is taken, the source or
   * a rule was changed meanwhile, or the source is gone.
   */
  rename(
    row: SourceRow,
    tools: PackedTools,
    rules: { id: string; from: string; to: string }[],
    audit: NewAuditEntry[],
  ): Promise<boolean>;
  remove(workspaceId: string, id: string, audit: NewAuditEntry): Promise<boolean>;
  /** Deletes up to `limit` events of sources from before that time. Returns their number. The audit is kept. */
  removeEvents(workspaceId: string, before: Date, limit: number): Promise<number>;
  /** Returns undefined if the content no longer exists. */
  readTools(contentId: string): Promise<PackedTools | undefined>;
  /** The compressed pieces. Throws if they are deleted while they are read. */
  readDocument(contentId: string): AsyncIterable<Uint8Array>;
  /** A range of the pieces of its other files. */
  readFiles(contentId: string, range: { from: number; count: number }): AsyncIterable<Uint8Array>;
}

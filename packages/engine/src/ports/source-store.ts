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
  /** No two sources of a workspace have the same. */
  namespace: string;
  kind: string;
  name: string;
  settings: SourceSettings;
  /** In plain until there is a vault. */
  auth: SourceAuth;
  /** Another one with each change of the credentials: what may be told of them. */
  authId: string;
  /** What is decided where no rule matches, where a person chose otherwise than usual. */
  approval: SourceApproval;
  /** What a person said of single tools, by path. */
  edits: Record<string, ToolEdit>;
  /** Paths of tools that came with a refresh, or became others by it, and that nobody has looked at yet. */
  unseen: string[];
  title: string | null;
  baseUrl: string | null;
  /** Where its calls go: the origin of the base first, then those of single tools. */
  origins: string[];
  provenance: SourceProvenance;
  security: SecurityScheme[];
  warnings: SourceWarning[];
  toolCount: number;
  /** Tools with evidence that they do less than their effect says, which nobody has judged yet. */
  suggestionCount: number;
  document: KeptDocument | null;
  /** Which content belongs to this row; a new one with each load. */
  contentId: string;
  /** Counts the changes: a writer says which one it has seen. */
  revision: number;
  createdBy: string;
  createdAt: Date;
  updatedAt: Date;
  loadedAt: Date;
}

/** Without its pieces, which are content. */
export interface KeptDocument extends Omit<SourceDocument, 'pieces' | 'files'> {
  /** One after the other: of each so many of the pieces of all. */
  files?: (Omit<SourceFile, 'pieces'> & { pieces: number })[];
}

/** How the source came to be as it is, beside its settings. */
export interface SourceProvenance {
  /** The address that was typed, where that only led to the document. */
  url?: string;
  /** Somebody said whether it may reach private networks: it does not follow from its addresses. */
  privateNetwork?: true;
  /** A person handed its document over: calls may go to this machine where that names it. */
  handedOver?: true;
  /** Names that the source had before. They still lead to it, and no other source gets them. */
  formerNamespaces?: string[];
  /** The entry of the configuration that was applied last, and what it said something of. */
  configured?: { hash: string; fields: string[] };
}

export interface ToolEdit {
  effect?: Effect | undefined;
  repeatable?: boolean | undefined;
}

/** What is too large for the row. */
export interface SourceContent {
  tools: PackedTools;
  document: Uint8Array[];
  /** The pieces of its other files, one file after the other. */
  files: Uint8Array[];
}

export type SourceRevision = Pick<SourceRow, 'id' | 'revision'>;

export interface SourceStore {
  /** The sources of a workspace, by namespace. */
  all(workspaceId: string): Promise<SourceRow[]>;
  /** Only how far each of them is: what was seen before and has the same revision is the same. */
  revisions(workspaceId: string): Promise<SourceRevision[]>;
  find(workspaceId: string, id: string): Promise<SourceRow | undefined>;
  /** False where the namespace is taken. */
  create(row: SourceRow, content: SourceContent, audit: NewAuditEntry): Promise<boolean>;
  /**
   * Writes the row over the one before (`row.revision - 1`), with its new content if there is some; false where somebody else was
   * first, or it is gone.
   */
  replace(row: SourceRow, content: SourceContent | undefined, audit: NewAuditEntry): Promise<boolean>;
  /**
   * Writes the row with its new namespace over the one before, replaces its packed tools, and changes the patterns of rules, all together.
   * False if the namespace is taken, the source or a rule was changed meanwhile, or the source is gone.
   */
  rename(
    row: SourceRow,
    tools: PackedTools,
    rules: { id: string; from: string; to: string }[],
    audit: NewAuditEntry[],
  ): Promise<boolean>;
  remove(workspaceId: string, id: string, audit: NewAuditEntry): Promise<boolean>;
  /** What the feed tells of them from before that time, but so many at most; says how many. The audit stays. */
  removeEvents(workspaceId: string, before: Date, limit: number): Promise<number>;
  /** Undefined where that content is not there any more. */
  readTools(contentId: string): Promise<PackedTools | undefined>;
  /** The compressed pieces, one by one; fails where they go away in the middle. */
  readDocument(contentId: string): AsyncIterable<Uint8Array>;
  /** The same of its other files: some of their pieces. */
  readFiles(contentId: string, range: { from: number; count: number }): AsyncIterable<Uint8Array>;
}

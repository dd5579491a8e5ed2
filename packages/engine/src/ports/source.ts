import type { ClientCertificate } from '@executor/protocol';
import type { Meter } from './meter.ts';

/**
 * A system whose operations are tools: an API, a server, a host. There is one implementation per kind of system. It knows the foreign
 * format and nothing about policies, users, secrets or journals.
 *
 * An implementation may assume that:
 * - the input is valid for the tool's schema, with defaults filled in;
 * - `invoke` is called once for a call that is not repeatable.
 *
 * It must:
 * - send only what `preview` shows, plus `auth`, and send `auth` to no other origin;
 * - never retry a call that is not repeatable;
 * - return an error response of the other system as an `error` outcome instead of throwing it;
 * - end when `signal` is aborted.
 */
export interface Source {
  readonly kind: string;
  /** The system behind a URL; undefined if it is of another kind or does not respond. */
  detect(url: string, options: DetectOptions): Promise<DetectedSource | undefined>;
  /** Reads the description of the system. Throws an `ExecutorError` that says why the description is unusable. */
  load(settings: SourceSettings, context: LoadContext): Promise<LoadedSource>;
  /**
   * The worst that a call of the tool can do with these settings. Tools that an older version packed may have an effect that is too
   * harmless.
   */
  worstEffect?(tool: Tool, settings: SourceSettings): Pick<Tool, 'effect' | 'repeatable'>;
  /** Exactly what a call would send, without its credentials, for a reviewer to read. */
  preview(call: SourceCall): Preview;
  /** Why a call cannot be sent, as far as that is known without sending anything. Executor does not ask about such a call. */
  check?(call: SourceCall, context: CheckContext): Promise<CallProblem | undefined>;
  /** The input without its secrets, for display. Returns the same object if it has none. */
  shownInput?(tool: Pick<Tool, 'path'>, input: unknown): unknown;
  invoke(invocation: Invocation, signal: AbortSignal): Promise<InvocationOutcome>;
}

/**
 * JSON. `shortened: true` means that a part of the request is replaced by its length, hash or name. A client's dialog does not offer such a
 * preview for approval.
 */
export interface Preview {
  [part: string]: unknown;
  shortened?: true;
}

/** The settings of a source, in the format of its kind, without credentials. */
export type SourceSettings = Record<string, unknown>;

interface DetectOptions {
  signal: AbortSignal;
  /** Whether requests may reach this machine and private networks. The engine decides. */
  allowPrivateNetwork: boolean;
  /** PEM of the certificate authorities to trust for the server, instead of the default ones. */
  serverCa?: string | undefined;
  /** Whether to accept only documents that the page at the URL links to, or that are below the URL. Nobody reviews the result. */
  near?: boolean;
}

export interface DetectedSource {
  /** The settings to load it with. */
  settings: SourceSettings;
  /** The name that the system has for itself. */
  title?: string;
}

export interface LoadContext {
  /** The first segment of the tools' paths. */
  namespace: string;
  signal: AbortSignal;
  /** The tools of the last load. They keep their paths. */
  previous?: ToolRow[];
  /** Credentials for fetching a description that is not public. */
  auth?: Auth;
  onProgress?(progress: LoadProgress): void;
}

export interface LoadProgress {
  stage: 'fetching' | 'reading' | 'storing';
  /** Progress in bytes or operations. */
  done?: number;
  total?: number;
}

export interface LoadedSource {
  /** The name that the system has for itself. */
  title?: string;
  /** The base URL of calls. */
  baseUrl?: string;
  /** The description as it was read, if there is one. */
  document?: SourceDocument;
  tools: PackedTools;
  /** The ways to authenticate that the system offers. */
  security?: SecurityScheme[];
  /** The variables in its URLs, with the values that each accepts. An empty list accepts any value. */
  serverVariables?: ReadonlyMap<string, readonly string[]>;
  /** Faults of the description that did not prevent loading it. */
  warnings: SourceWarning[];
}

/**
 * The tools of a source in a compact form for memory and database: a row per tool, and everything else in chunks that are opened when they
 * are used. A source can have tens of thousands of tools, whose definitions would fill hundreds of megabytes. A source writes this form
 * with `ToolPacker`; the engine reads it with `ToolPack`.
 *
 * Every piece is deflated. In this order:
 * 1. one `PackHead`, as JSON
 * 2. `rowPieces` pieces of rows, each a JSON list of `PackedRow`
 * 3. the chunks, each a JSON list of entries: a `ToolDetail` or the `JsonSchema` of a definition
 */
export type PackedTools = Uint8Array[];

export interface PackHead {
  format: 1;
  /** The number of pieces with rows. */
  rowPieces: number;
  /** Older versions stored words at the end, in this many pieces. Nothing reads them any more. */
  searched?: Record<string, number>;
  definitions: Record<string, ChunkAddress>;
  /** Whether `unevaluatedProperties` or `unevaluatedItems` occur in any definition. */
  tracksEvaluated: boolean;
}

/** A chunk, counted from the first one, and the position of an entry in it. */
export type ChunkAddress = [chunk: number, entry: number];

export type PackedRow = ToolRow & { at: ChunkAddress };

/** The part of a tool that is not in its row. */
export type ToolDetail = Omit<Tool, keyof ToolRow | 'definitions'>;

export interface SourceDocument {
  mediaType: string;
  bytes: number;
  /** SHA-256 of the bytes, in hex. */
  hash: string;
  /** The gzip-compressed text, cut into pieces. */
  pieces: Uint8Array[];
  /** The name of its main file, if it has several. */
  name?: string;
  /** Its other files: those that the user handed over with it, or documents that it references at other URLs. */
  files?: SourceFile[];
}

export interface SourceFile {
  /** Its path relative to the main file, or its URL. */
  name: string;
  bytes: number;
  hash: string;
  pieces: Uint8Array[];
}

export interface SourceWarning {
  /** A JSON pointer into the document. */
  place: string;
  message: string;
}

export type Effect = 'read' | 'write' | 'destructive';

/** The part of every tool that is always in memory. */
export interface ToolRow {
  /** For example `github.issues.create`. The first segment is the namespace of the source. */
  path: string;
  description: string;
  effect: Effect;
  /** Whether the call is idempotent. */
  repeatable: boolean;
  /** A hash of everything that decides what the call sends and to which server. */
  version: string;
  /** The operation in its system: `{ method, path, operationId? }`, `{ name }`, … */
  origin: Record<string, unknown>;
  /** The origin of its calls, if they go to another server than the source's other calls. */
  target?: string;
  timeoutMs?: number;
  deprecated?: boolean;
  /** Evidence that the tool does less than its effect says. It has no effect until a user confirms it. */
  suggestion?: { effect?: Effect; repeatable?: boolean; why: string };
}

export interface Tool extends ToolRow {
  /**
   * JSON Schema 2020-12 of one object. `#/$defs/NAME` refers to `definitions` if the schema itself has no such definition. Defaults in
   * `properties` are filled in; those in `documentedDefaults` (by field) only if a rule looks at the field.
   */
  inputSchema: JsonSchema;
  outputSchema?: JsonSchema;
  /** The categories that its system assigns to it, in addition to its path. */
  tags?: string[];
  /** The schemas that all tools of the source share. */
  definitions?: Definitions;
  /** Alternatives, one of which a caller must satisfy. An absent or empty list, or an empty alternative, needs no credentials. */
  security?: SecurityRequirement[];
  /** Instructions for sending the call, in the format of its source. */
  plan?: unknown;
}

export type JsonSchema = Record<string, unknown> | boolean;

export interface Definitions {
  get(name: string): JsonSchema | undefined;
  /** Whether `unevaluatedProperties` or `unevaluatedItems` occur in any of them. */
  readonly tracksEvaluated: boolean;
}

/** A caller must satisfy every scheme in the list. */
export type SecurityRequirement = { scheme: string; scopes?: string[] }[];

/** A way to authenticate, with the name that its system has for it. */
export type SecurityScheme = { name: string; description?: string } & (
  | { type: 'apiKey'; in: 'header' | 'query' | 'cookie'; key: string }
  /** `bearer`, `basic`, or another scheme of the Authorization header. */
  | { type: 'http'; scheme: string }
  | { type: 'oauth2'; flows: Record<string, unknown> }
  | { type: 'openIdConnect'; url: string }
  | { type: 'mutualTls' }
);

/** The credentials of a call in the form in which they are sent. The engine makes them; a source never sees how they are stored. */
export interface Auth {
  headers?: Record<string, string>;
  query?: Record<string, string>;
  cookies?: Record<string, string>;
  /** The client certificate for TLS connections. */
  certificate?: ClientCertificate;
}

/** The names of credentials, without their values. */
export type CredentialNames = Record<'headers' | 'query' | 'cookies', string[]>;

export interface SourceCall {
  tool: Tool;
  input: unknown;
  settings: SourceSettings;
}

export interface CheckContext {
  workspaceId: string;
  /** The credentials that the call is sent with. */
  credentials?: CredentialNames;
  /** Whether the run may read an artifact with this id. */
  hasArtifact(id: string): Promise<boolean>;
}

export interface Invocation extends SourceCall {
  auth: Auth;
  /** The run and the call. `id` is the same for all attempts, so it can be an idempotency key. */
  call: { workspaceId: string; executionId: string; index: number; attempt: number; id: string };
  /** Asks a user during the call. The answer may take days. */
  ask(question: Question): Promise<Answer>;
  /** Stores bytes that do not fit into a result as an artifact of the run. */
  putArtifact(artifact: NewArtifact): Promise<ArtifactHandle>;
  /** Counts the time that the source computes in this process. It is charged to the run. */
  meter?: Meter;
  /** An artifact that the run may read; undefined if there is none with this id. */
  readArtifact(id: string): Promise<NewArtifact | undefined>;
  /**
   * Waits until that many bytes of the answer may be in memory. A source calls it before it reads more than 16 KiB: with the size of the
   * answer if that is known, else with 1 MiB and then with its own limit. Waiting does not count against the timeout of the call. 0 gives the memory of an answer
   * back that was lost, before the call is sent again.
   */
  allowAnswer(bytes: number): Promise<void>;
}

export interface Question {
  kind: 'elicitation' | 'credential' | 'oauth';
  prompt: string;
  /** The form as JSON Schema, or the URL to open. */
  request?: unknown;
  expiresAt?: Date;
}

export type Answer = { type: 'submitted'; data: unknown } | { type: 'cancelled' } | { type: 'expired' };

export interface NewArtifact {
  bytes: Uint8Array;
  mediaType: string;
  name?: string;
}

export interface ArtifactHandle {
  artifactId: string;
  mediaType: string;
  bytes: number;
}

/**
 * `value` is JSON, and `json` is the text of it as `JSON.stringify` would write it, for answers that nobody needs to parse. An answer over
 * the run's limit becomes an artifact, except with `isWhole`: the code asked for all of it. `hasNext`: there is a next page, which the answer does not show. The code gets an error as a `ToolError` that it
 * can catch, with the other system's own message first.
 */
export type InvocationOutcome =
  | { type: 'value'; value: unknown; isWhole?: true; hasNext?: true }
  | { type: 'json'; json: string; isWhole?: true; hasNext?: true }
  | CallProblem;

export interface CallProblem {
  type: 'error';
  message: string;
  details?: Record<string, unknown>;
}

import type { ClientCertificate, Confidence } from '@executor/protocol';
import type { Meter } from './meter.ts';

/**
 * A system whose operations are tools: an API, a server, a host. There is one implementation per kind of system. It knows the foreign
 * format and nothing about policies, users, secrets or journals. Optional methods are capabilities that not every kind has.
 *
 * An implementation may assume that:
 * - stored settings have passed `checkSettings`, perhaps in an older version;
 * - the input is valid for the tool's schema, with defaults filled in;
 * - `invoke` is called once for a call that is not repeatable, and once more after each question that it returned;
 *
 * It must:
 * - send only what `preview` shows, plus `auth` and a stored answer, and send `auth` to no other origin;
 * - never retry a call that is not repeatable;
 * - return an error response of the other system as an `error` outcome instead of throwing it;
 * - end when `signal` is aborted;
 * - keep no connection after `release` and `close`, and open none before the first `load` or `invoke` of its source.
 */
export interface Source {
  readonly kind: string;
  /** Settings whose values are secret. Executor never shows them, and removes them from responses. */
  readonly secretSettings?: readonly string[];
  /** Whether the system that is called describes itself, so that `load` gets the credentials at once, and not only after a 401 or 403. */
  readonly describesItself?: boolean;
  /** Whether requests that do not name the kind are for it only if `detect` finds a system at their URL. */
  readonly mustBeNamed?: boolean;

  /**
   * Throws `invalidRequest` if settings that a user entered do not fit this kind. The settings include the `document` and `files` of the
   * request. A request without a kind is for the kinds that accept its settings. Only the product itself connects a kind without it.
   */
  checkSettings?(settings: SourceSettings): void;
  /** Why only a person may add a source with these settings, and never the code of an agent: a sentence. Undefined if agents may. */
  onlyForPeople?(settings: SourceSettings): string | undefined;
  /** Whether the tools depend on what has changed in the settings, so that they have to be loaded again. The default is yes. */
  loadsAgain?(before: SourceSettings, after: SourceSettings): boolean;
  /**
   * Whether the user's change of the settings by itself sends calls to other origins, if the description stays the same. Without it, calls to
   * an origin that is not the user's `baseUrl` need a person's yes. The default is no.
   */
  movesCalls?(before: SourceSettings, after: SourceSettings): boolean;

  /** The systems behind a URL; undefined if it is of another kind or does not respond. It sends no credentials. */
  detect?(url: string, options: DetectOptions): Promise<DetectedSource | DetectedSource[] | undefined>;
  /**
   * Reads the description of the system. Throws an `ExecutorError` that says why the description is unusable: `unusableDocument` if the
   * system may be of another kind, with `details.isOtherFormat` if the description is certainly not of this kind.
   */
  load(settings: SourceSettings, context: LoadContext): Promise<LoadedSource>;
  /** Registers the function that the kind calls with the id of a source whose tools may have changed. Executor loads it again. */
  onChange?(listener: (sourceId: string) => void): void;

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
  /** How long a call may take, if that depends on its input. The default is the timeout of the source or the tool. */
  timeLimits?(call: SourceCall): TimeLimits | undefined;
  invoke(invocation: Invocation, signal: AbortSignal): Promise<InvocationOutcome>;

  /**
   * Closes the connections of one source: it was removed, or its settings or credentials have changed. It may have none. Calls in flight may
   * finish on the old connection; new ones must not use it.
   */
  release?(sourceId: string): Promise<void>;
  /** Closes everything, because the process ends. */
  close?(): Promise<void>;
  /** The latest lines that the system wrote for people, such as the standard error of its process. Oldest first. */
  logs?(sourceId: string): SourceLogLine[];
}

/**
 * JSON. `shortened: true` means that a part of the request is replaced by its length, hash or name. A client's dialog does not offer such a
 * preview for approval.
 */
export interface Preview {
  [part: string]: unknown;
  shortened?: true;
}

/**
 * The settings of a source, in the format of its kind, without credentials. The engine understands only the fields that are named here.
 * `allowPrivateNetwork` and `allowThisMachine` are its decisions for every source; see source/network/network-reach.ts.
 */
export interface SourceSettings {
  /** Where the system describes itself. */
  url?: string;
  /** Where calls go instead of the URL in the description. */
  baseUrl?: string;
  /** How long a call may take. */
  timeoutMs?: number;
  allowPrivateNetwork?: boolean;
  allowThisMachine?: boolean;
  [setting: string]: unknown;
}

export interface DetectOptions {
  signal: AbortSignal;
  /** Whether requests may reach this machine and private networks. The engine decides. */
  allowPrivateNetwork: boolean;
  /** PEM of the certificate authorities to trust for the server, instead of the default ones. */
  serverCa?: string | undefined;
  /** Whether to accept only documents that the page at the URL links to, or that are below the URL. Nobody reviews the result. */
  near?: boolean;
  /** Says what a request of the probe saw, for a user to read. */
  report?(observation: ProbeObservation): void;
}

/** For example `GET https://api.example.com/openapi.json` and `responded with 404`. */
export interface ProbeObservation {
  request: string;
  outcome: string;
}

export interface DetectedSource {
  /** The settings to load it with. */
  settings: SourceSettings;
  /** The name that the system has for itself. */
  title?: string;
  /** How sure it is that the system is of this kind. The default is `certain`. */
  confidence?: Confidence;
  /** How it is called: `http`, `sse`, `stdio`. The default is `http`. */
  transport?: string;
  /** The base URLs of its calls, as it describes them. */
  servers?: string[];
  /** The ways to authenticate that it describes. Empty if it needs no credentials, undefined if it does not say. */
  security?: SecurityScheme[];
}

export interface LoadContext {
  /** The id that the source has or will have. `release` follows if it is not stored. */
  sourceId: string;
  /** The first segment of the tools' paths. */
  namespace: string;
  signal: AbortSignal;
  /** The tools of the last load. They keep their paths. */
  previous?: ToolRow[];
  /** The settings that the user enters now. Names in them that the description does not have are mistakes. Absent in a refresh. */
  entered?: SourceSettings;
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
  /** What the system says about itself, for the models that use its tools. */
  description?: string;
  /** The base URL of calls. */
  baseUrl?: string;
  /** The description as it was read, if there is one. */
  document?: SourceDocument;
  tools: PackedTools;
  /** The ways to authenticate that the system offers. */
  security?: SecurityScheme[];
  /** Faults of the description that did not prevent loading it. */
  warnings: SourceWarning[];
}

/**
 * The tools of a source in a compact form for memory and database. A source can have tens of thousands of tools, whose definitions would
 * fill hundreds of megabytes. A source writes this form with `ToolPacker`; catalog/pack-format.ts defines it.
 */
export type PackedTools = Uint8Array[];

/** A chunk of packed tools, counted from the first one, and the position of an entry in it. */
export type ChunkAddress = [chunk: number, entry: number];

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

export interface TimeLimits {
  /** How long a call may take. Progress starts this time again. */
  timeoutMs?: number;
  /** How long it may take in spite of progress. */
  maxMs?: number;
}

export interface SourceLogLine {
  at: Date;
  text: string;
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
  /** The id of the source. Connections can be shared by calls with the same id, settings and credentials. */
  sourceId: string;
  /** The state and the answer of the question that an earlier `invoke` of this call returned, perhaps in another process. */
  resumed?: { state: unknown; answer: Answer };
  /**
   * Asks a user in the middle of the call, which stays in this process. After a restart, a repeatable call is made again and gets the same
   * answers in order; another one is reported as uncertain. Return a `question` instead if the other system can continue later.
   */
  ask(question: Question): Promise<Answer>;
  /** Reports progress, which becomes an event of the run and starts the timeout of the call again. Too frequent reports are dropped. */
  progress(progress: CallProgress): void;
  /** A message of the other system about this call, which becomes an event of the run. */
  log(line: CallLogLine): void;
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

export interface CallProgress {
  done: number;
  total?: number;
  message?: string;
}

export interface CallLogLine {
  level: 'debug' | 'info' | 'warn' | 'error';
  text: string;
}

export interface Question {
  kind: 'elicitation' | 'credential' | 'oauth';
  prompt: string;
  /** A form as JSON Schema of an object, or `{ url }` of a page to open. */
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
export type CallAnswer =
  | { type: 'value'; value: unknown; isWhole?: true; hasNext?: true }
  | { type: 'json'; json: string; isWhole?: true; hasNext?: true };

/** Nothing of the call is in flight until a user has answered. Then `invoke` gets the state, which is JSON and stored, with the answer. */
export interface CallQuestion {
  type: 'question';
  question: Question;
  state: unknown;
}

export type InvocationOutcome = CallAnswer | CallQuestion | CallProblem;

export interface CallProblem {
  type: 'error';
  message: string;
  details?: Record<string, unknown>;
}

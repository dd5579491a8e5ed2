import type { ClientCertificate } from '@executor/protocol';

/**
 * A system whose operations are tools: an API, a server, a host. One implementation per kind of system; it knows the foreign format, and
 * nothing of policies, people, secrets or journals.
 *
 * An implementation may assume that the input was checked against the tool's schema, with its defaults filled in, and that a
 * non-repeatable call is made once.
 *
 * It must never send what `preview` did not show (but for `auth`), never follow `auth` to another origin, never retry a call that is
 * not repeatable, never throw for what the other side answered (that is an `error` outcome), and end when `signal` says so.
 */
export interface Source {
  readonly kind: string;
  /** What is behind this address, if it is of this kind; undefined when it is not, or nobody answers. */
  detect(url: string, options: DetectOptions): Promise<DetectedSource | undefined>;
  /** Reads what the system says of itself. Throws an `ExecutorError` that says what is wrong where nothing can be made of it. */
  load(settings: SourceSettings, context: LoadContext): Promise<LoadedSource>;
  /** Exactly what a call would send, without its credentials, for a person to read. */
  preview(call: SourceCall): Preview;
  /** Why a call cannot be sent, as far as that is known without sending anything: nobody is asked about it then. */
  check?(call: SourceCall, context: CheckContext): Promise<CallProblem | undefined>;
  /** The input without what is secret in it, for where people see it; the very same where nothing is. */
  shownInput?(tool: Pick<Tool, 'path'>, input: unknown): unknown;
  invoke(invocation: Invocation, signal: AbortSignal): Promise<InvocationOutcome>;
}

/**
 * JSON. Where anything that will be sent is not in it as it is, but by its length, hash or name, it says `shortened: true`: then it is not
 * enough to be read in passing, and no dialog offers it for approval.
 */
export interface Preview {
  [part: string]: unknown;
  shortened?: true;
}

/** What a person said about a source, in the form of its kind. Its credentials are not in it. */
export type SourceSettings = Record<string, unknown>;

interface DetectOptions {
  signal: AbortSignal;
  /** Whether requests may reach this machine and private networks. The engine decides. */
  allowPrivateNetwork: boolean;
  /** Whom to trust for the certificate of its server, as PEM, where that is not whoever is trusted usually. */
  serverCa?: string | undefined;
  /** Only what the address itself leads to: what a page there names, or what is below it. Nobody looks at the answer before it is used. */
  near?: boolean;
}

export interface DetectedSource {
  /** What to load it with. */
  settings: SourceSettings;
  /** What the system calls itself. */
  title?: string;
}

export interface LoadContext {
  /** What the paths of the tools begin with. */
  namespace: string;
  signal: AbortSignal;
  /** What was made of it the last time: tools keep their paths. */
  previous?: ToolRow[];
  /** For fetching the description, where that is not public. */
  auth?: Auth;
  onProgress?(progress: LoadProgress): void;
}

export interface LoadProgress {
  stage: 'fetching' | 'reading' | 'storing';
  /** How much of it is done, in bytes or operations. */
  done?: number;
  total?: number;
}

export interface LoadedSource {
  /** What the system calls itself. */
  title?: string;
  /** Where calls go. */
  baseUrl?: string;
  /** The description as it was read, where there is one. */
  document?: SourceDocument;
  tools: PackedTools;
  /** Ways in which the system lets callers in. */
  security?: SecurityScheme[];
  /** The variables of its addresses, where there are such, with what each may be; of what may be anything, nothing. */
  serverVariables?: ReadonlyMap<string, readonly string[]>;
  /** What is wrong with it and did not stop it. */
  warnings: SourceWarning[];
}

/**
 * The tools of a source in compressed pieces, small enough to keep in memory and in the database. A source makes them with `ToolPacker`;
 * only `catalog/tool-pack.ts` knows what is in the pieces.
 */
export type PackedTools = Uint8Array[];

export interface SourceDocument {
  mediaType: string;
  bytes: number;
  /** SHA-256 of the bytes, in hex. */
  hash: string;
  /** All of it, compressed by gzip, cut into pieces. */
  pieces: Uint8Array[];
  /** What its own file is called, where it has others beside it. */
  name?: string;
  /** What else it is made of: the files that were handed over with it, or what it referred to at other addresses. */
  files?: SourceFile[];
}

export interface SourceFile {
  /** Its path from the folder of the document, or its address. */
  name: string;
  bytes: number;
  hash: string;
  pieces: Uint8Array[];
}

export interface SourceWarning {
  /** Where in the document: a JSON pointer. */
  place: string;
  message: string;
}

export type Effect = 'read' | 'write' | 'destructive';

/** What is kept of every tool in memory. */
export interface ToolRow {
  /** `github.issues.create`: the source's namespace comes first. */
  path: string;
  description: string;
  effect: Effect;
  /** Whether making the call twice is as good as once. */
  repeatable: boolean;
  /** A hash of everything that decides what the call sends and where. */
  version: string;
  /** Where in its system the tool is from: `{ method, path, operationId? }`, `{ name }`, … */
  origin: Record<string, unknown>;
  /** Where its calls go, as an origin, where that is not where the source's other calls go. */
  target?: string;
  /** How long a call may take. */
  timeoutMs?: number;
  deprecated?: boolean;
  /** Evidence that the tool does less than its effect says. It counts when a person confirms it. */
  suggestion?: { effect?: Effect; repeatable?: boolean; why: string };
}

export interface Tool extends ToolRow {
  /** JSON Schema, 2020-12; the input is one object. `#/$defs/NAME` leads into `definitions` where it is not in the schema itself. */
  inputSchema: JsonSchema;
  outputSchema?: JsonSchema;
  /** What its system files it under, beside what its path says. */
  tags?: string[];
  /** What the schemas of all tools of the source share. */
  definitions?: Definitions;
  /** What a caller must show: one of these, and of it every scheme. None, or an empty one, means that nothing is needed. */
  security?: SecurityRequirement[];
  /** How its source sends it. */
  plan?: unknown;
}

export type JsonSchema = Record<string, unknown> | boolean;

export interface Definitions {
  get(name: string): JsonSchema | undefined;
  /** Whether `unevaluatedProperties` or `unevaluatedItems` occur in any of them. */
  readonly tracksEvaluated: boolean;
}

/** Whoever calls shows all of them. */
export type SecurityRequirement = { scheme: string; scopes?: string[] }[];

/** One way to be let in, by the name that its system has for it. */
export type SecurityScheme = { name: string; description?: string } & (
  | { type: 'apiKey'; in: 'header' | 'query' | 'cookie'; key: string }
  /** `bearer`, `basic`, or another scheme of the Authorization header. */
  | { type: 'http'; scheme: string }
  | { type: 'oauth2'; flows: Record<string, unknown> }
  | { type: 'openIdConnect'; url: string }
  | { type: 'mutualTls' }
);

/** What a connection gives a call, ready to be sent. Made by the engine: a source never sees where it is from. */
export interface Auth {
  headers?: Record<string, string>;
  query?: Record<string, string>;
  cookies?: Record<string, string>;
  /** For the connection itself, where that is a secure one. */
  certificate?: ClientCertificate;
}

export interface SourceCall {
  tool: Tool;
  input: unknown;
  settings: SourceSettings;
}

export interface CheckContext {
  workspaceId: string;
  /** Whether there is an artifact of that id that the run may read. */
  hasArtifact(id: string): Promise<boolean>;
}

export interface Invocation extends SourceCall {
  auth: Auth;
  /** The run and the call: stable over attempts, so fit to be an idempotency key. */
  call: { workspaceId: string; executionId: string; index: number; attempt: number; id: string };
  /** Asks a person for something in the middle of the call, and waits, for days if need be. */
  ask(question: Question): Promise<Answer>;
  /** Keeps bytes that are too large or too binary for a result with the run. */
  putArtifact(artifact: NewArtifact): Promise<ArtifactHandle>;
  /** The bytes of an artifact that the run may read; undefined where there is none of that id. */
  readArtifact(id: string): Promise<NewArtifact | undefined>;
}

export interface Question {
  kind: 'elicitation' | 'credential' | 'oauth';
  prompt: string;
  /** The form as JSON Schema, or the address to open. */
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
 * `value` is JSON. With `isWhole` the code gets it at any size, because it asked for all of it; otherwise a large value becomes an
 * artifact. An error reaches the code as a catchable `ToolError`, with the other system's own message first.
 */
export type InvocationOutcome = { type: 'value'; value: unknown; isWhole?: true } | CallProblem;

export interface CallProblem {
  type: 'error';
  message: string;
  details?: Record<string, unknown>;
}

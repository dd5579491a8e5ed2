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
  /** Whether what is behind this address is of this kind; undefined when it is not, or nobody answers. */
  detect(url: string, signal: AbortSignal): Promise<SourceSettings | undefined>;
  load(settings: SourceSettings, signal: AbortSignal): Promise<LoadedSource>;
  /** Exactly what a call would send, without its credentials, for a person to read. */
  preview(tool: Tool, input: unknown): unknown;
  invoke(invocation: Invocation, signal: AbortSignal): Promise<InvocationOutcome>;
}

/** What a person said about a source, in the form of its kind. */
export type SourceSettings = Record<string, unknown>;

export interface LoadedSource {
  /** The document as it was read, where there is one. */
  document?: string;
  tools: Tool[];
  /** What is wrong with it and did not stop it, each naming the place. */
  warnings: string[];
}

export type Effect = 'read' | 'write' | 'destructive';

export interface Tool {
  /** `github.issues.create`: the source's namespace comes first. */
  path: string;
  description: string;
  /** JSON Schema, 2020-12; the input is one object. */
  inputSchema: JsonSchema;
  outputSchema?: JsonSchema;
  effect: Effect;
  /** Whether making the call twice is as good as once. */
  repeatable: boolean;
  /** A hash of everything that decides what the call sends and where. */
  version: string;
  /** Where in its system the tool is from: `{ method, path }`, `{ name }`, … */
  origin: Record<string, unknown>;
  /** How long a call may take. */
  timeoutMs?: number;
}

export type JsonSchema = Record<string, unknown> | boolean;

/** What a connection gives a call, ready to be sent. Made by the engine: a source never sees where it is from. */
export interface Auth {
  headers?: Record<string, string>;
  query?: Record<string, string>;
  cookies?: Record<string, string>;
}

export interface Invocation {
  tool: Tool;
  input: unknown;
  auth: Auth;
  /** The run and the call: stable over attempts, so fit to be an idempotency key. */
  call: { workspaceId: string; executionId: string; index: number; attempt: number; id: string };
  /** Asks a person for something in the middle of the call, and waits, for days if need be. */
  ask(question: Question): Promise<Answer>;
  /** Keeps bytes that are too large or too binary for a result with the run. */
  putArtifact(artifact: NewArtifact): Promise<ArtifactHandle>;
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

/** `value` is JSON. An error reaches the code as a catchable `ToolError`, the other side's own message first. */
export type InvocationOutcome =
  | { type: 'value'; value: unknown }
  | { type: 'error'; message: string; details?: Record<string, unknown> };

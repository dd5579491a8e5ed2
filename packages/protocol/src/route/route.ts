import type * as z from 'zod';

/**
 * One row of the HTTP API. `access` says who may call it: `public` needs no credential, `person` refuses
 * agents, `any` takes both. The server enforces it before it reads the body, and a test tries every row as
 * every kind of principal.
 */
export interface Route {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** Parameters are written `:name`. */
  readonly path: `/v1/${string}`;
  readonly access: 'public' | 'person' | 'any';
  readonly summary: string;
  readonly query?: z.ZodObject;
  readonly body?: z.ZodObject;
  /** How large the body may be, where a megabyte is not enough. */
  readonly maxBodyBytes?: number;
  /** How long it may take, where half a minute is not enough. */
  readonly maxHandlingMs?: number;
  /**
   * `waitMs` of the body is how long the request may take on top of the ordinary. Where too many wait already, it answers at once or
   * refuses.
   */
  readonly waits?: 'orAnswers' | 'orRefuses';
  /**
   * Changes who may do what: takes proof of a person, in the header `x-executor-presence`, where presence is on. It is judged once: for
   * the row before its handler, or by the engine, which knows what can be refused without it, and guards every surface.
   */
  readonly presence?: 'route' | 'engine';
  /** Absent: the route answers 204 with nothing. */
  readonly response?: z.ZodType;
  /**
   * The route answers with server-sent events, each of this form. A stream that ends has told everything; one that is cut off is to be
   * resumed with Last-Event-ID.
   */
  readonly events?: z.ZodType;
  /** The route answers with bytes and their own content type. */
  readonly bytes?: true;
  /** The status of success, where it is not 200 (or 204 without a response). */
  readonly status?: number;
}

type PathParam<Path extends string> = Path extends `${string}:${infer Name}/${infer Rest}`
  ? Name | PathParam<`/${Rest}`>
  : Path extends `${string}:${infer Name}`
    ? Name
    : never;

type Shape<Schema, Side extends 'input' | 'output'> = Schema extends z.ZodType
  ? Side extends 'input'
    ? z.input<Schema>
    : z.output<Schema>
  : unknown;

/** Path parameters, query and body of a route, as one flat object: what a caller writes. */
export type RouteInput<R extends Route> = { [K in PathParam<R['path']>]: string } & Shape<
  R['query'],
  'input'
> &
  Shape<R['body'], 'input'>;

/** The same after parsing, with defaults filled in: what a handler receives. */
export type ParsedInput<R extends Route> = { [K in PathParam<R['path']>]: string } & Shape<
  R['query'],
  'output'
> &
  Shape<R['body'], 'output'>;

export type RouteOutput<R extends Route> = R['events'] extends z.ZodType
  ? AsyncIterable<z.output<R['events']>>
  : R['bytes'] extends true
    ? Bytes
    : R['response'] extends z.ZodType
      ? z.output<R['response']>
      : undefined;

export interface Bytes {
  mediaType: string;
  /** What a browser may call the file. */
  name?: string;
  bytes: Uint8Array;
}

/** The status with which a route answers when all went well. */
export function successStatus(route: Route): number {
  const answers = route.response ?? route.events ?? route.bytes;
  return route.status ?? (answers === undefined ? 204 : 200);
}

/** How long a request asks the server to wait: what it says, or what the route does unless told. */
export function waitMsOf(route: Route, input: Record<string, unknown>): number {
  const schema = route.waits && (route.body?.shape.waitMs as z.ZodType | undefined);
  const parsed = schema?.safeParse(input.waitMs);
  return parsed?.success ? Number(parsed.data) : 0;
}

export function pathParams(path: string): string[] {
  return [...path.matchAll(/:(\w+)/g)].map((match) => match[1] as string);
}

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
  readonly body?: z.ZodObject | z.ZodDiscriminatedUnion;
  /** The maximum size of the body, if it is not one megabyte. */
  readonly maxBodyBytes?: number;
  /** The timeout, if it is not half a minute. */
  readonly maxHandlingMs?: number;
  /** The request may take `waitMs` of its body longer. If too many requests wait already, it responds at once or is refused. */
  readonly waits?: 'orAnswers' | 'orRefuses';
  /**
   * The route changes permissions: if presence is on, it needs a PIN in the header `x-executor-presence`. `route`: checked before the
   * handler. `engine`: checked by the engine, which can reject some requests without it and guards other surfaces too.
   */
  readonly presence?: 'route' | 'engine';
  /** Absent: the route responds 204 without a body. */
  readonly response?: z.ZodType;
  /** The route responds with server-sent events of this form. A stream that ends is complete; one that breaks is resumed by Last-Event-ID. */
  readonly events?: z.ZodType;
  /** The route responds with bytes and their own content type. */
  readonly bytes?: true;
  /** The status of success, if it is not 200 (or 204 without a response). */
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

/** Path parameters, query and body of a route as one flat object, as a caller writes it. */
export type RouteInput<R extends Route> = { [K in PathParam<R['path']>]: string } & Shape<
  R['query'],
  'input'
> &
  Shape<R['body'], 'input'>;

/** The same after parsing, with defaults filled in, as a handler receives it. */
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
  /** The file name for a browser. */
  name?: string;
  bytes: Uint8Array;
}

/** The HTTP status of success. */
export function successStatus(route: Route): number {
  const answers = route.response ?? route.events ?? route.bytes;
  return route.status ?? (answers === undefined ? 204 : 200);
}

/** How long a request asks the server to wait: its `waitMs`, or the default of the route. */
export function waitMsOf(route: Route, input: Record<string, unknown>): number {
  const { waits, body } = route;
  const schema = waits && body && 'shape' in body ? (body.shape.waitMs as z.ZodType | undefined) : undefined;
  const parsed = schema?.safeParse(input.waitMs);
  return parsed?.success ? Number(parsed.data) : 0;
}

export function pathParams(path: string): string[] {
  return [...path.matchAll(/:(\w+)/g)].map((match) => match[1] as string);
}

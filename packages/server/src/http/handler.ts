import type { ParsedInput, Principal, Route, RouteOutput, Routes } from '@executor/protocol';
import type { Context } from 'hono';
import type { ByteStream } from './bytes-response.ts';

/** What a handler knows besides its input. A public route has no principal. */
interface Call<R extends Route> {
  principal: R['access'] extends 'public' ? undefined : Principal;
  http: Context;
  /** Aborted when the caller has gone or the server stops: a wait is then answered with what is, and a stream is over. */
  signal: AbortSignal;
  /** What the request brought as proof of a person, for the engine to judge where the row says so. */
  proof: string | undefined;
  /** Of a stream: tells the caller where it begins, so that it can be resumed before its first event. */
  beginAt(eventId: string): void;
}

/** Bytes may also be sent as they come. */
type Output<R extends Route> = R['bytes'] extends true ? RouteOutput<R> | ByteStream : RouteOutput<R>;

export type Handler<R extends Route> = (
  input: ParsedInput<R>,
  call: Call<R>,
) => Output<R> | Promise<Output<R>>;

export type Handlers = {
  [Group in keyof Routes]: { [Member in keyof Routes[Group]]: Handler<Routes[Group][Member] & Route> };
};

export function handlerOf(handlers: Handlers, name: string): Handler<Route> {
  const [group, member] = name.split('.') as [keyof Handlers, never];
  return handlers[group][member];
}

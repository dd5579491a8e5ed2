import type { ParsedInput, Principal, Route, RouteOutput, Routes } from '@executor/protocol';
import type { Context } from 'hono';
import type { ByteStream } from './stream/bytes-response.ts';

/** What a handler gets besides its input. A public route has no principal. */
interface Call<R extends Route> {
  principal: R['access'] extends 'public' ? undefined : Principal;
  http: Context;
  /** Aborted when the caller disconnects or the server stops. A wait then returns the current state, and a stream ends. */
  signal: AbortSignal;
  /** The request's proof of a person. The engine checks it if the route says so. */
  proof: string | undefined;
  /** For streams: sends the id from which the stream begins, so that it can be resumed before its first event. */
  beginAt(eventId: string): void;
}

/** Bytes may also be streamed. */
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

export { type Client, createClient } from './client.ts';
export { EventFrameParser } from './event-frames.ts';
export type { CallOptions, ClientOptions, FetchRequest, FetchResponse } from './send.ts';

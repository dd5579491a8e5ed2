export { type Client, createClient } from './client.ts';
export type { CallOptions, ClientOptions } from './send.ts';

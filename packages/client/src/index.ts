export { type Client, createClient } from './client.ts';
export { EventFrameParser } from './event-frames.ts';
export { KnownNonces } from './known-nonces.ts';
export { RequestSigner } from './request-signer.ts';
export type { CallOptions, ClientOptions, FetchRequest, FetchResponse } from './send.ts';

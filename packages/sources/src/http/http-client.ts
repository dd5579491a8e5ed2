import type { Auth } from '@executor/engine';
import type { Network } from './reach.ts';

/**
 * Sends requests to external systems. The client resolves a host name once, checks its addresses, and connects to a checked
 * address. So a name that resolves differently the second time (DNS rebinding) reaches nothing.
 */
export interface HttpClient {
  /** Throws an `UnreachableError`, or the reason of `signal`. A response with any status is a response, not an error. */
  send(request: HttpRequest, options: SendOptions): Promise<HttpResponse>;
  close(): Promise<void>;
}

export interface HttpRequest {
  method: string;
  url: string;
  headers: Record<string, string>;
  body?: Uint8Array | string;
}

export interface SendOptions extends Network {
  signal: AbortSignal;
  /** Headers, cookies, query parameters and a client certificate. They are sent only to the origin of the request. */
  credentials?: Omit<Auth, 'cookies'>;
  /** PEM of the certificate authorities to trust for that origin instead of the default ones. */
  serverCa?: string | undefined;
  /** `read` follows redirects to other origins too, without credentials; `write` only those that keep the method and add or remove a trailing slash. */
  redirects: 'read' | 'write';
}

export interface HttpResponse {
  status: number;
  headers: Record<string, string | string[]>;
  /** The size of the body, if the server says it and the body is not compressed. */
  length?: number;
  /** URL after redirects. */
  url: string;
  /** Decompressed. The caller must read or destroy it: until then it occupies its connection. */
  body: AsyncIterable<Uint8Array>;
}

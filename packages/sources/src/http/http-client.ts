import type { Auth } from '@executor/engine';
import type { Network } from './reach.ts';

/**
 * Requests to systems of strangers. An address is checked after it was resolved, and the connection goes to the address that was checked:
 * a name that answers differently the second time reaches nothing.
 */
export interface HttpClient {
  /** Throws an `UnreachableError`, or the reason of `signal`; whatever status is answered is an answer. */
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
  /** Headers, cookies, query parameters and a client certificate that are only for the origin of the request. */
  credentials?: Omit<Auth, 'cookies'>;
  /** Whom to trust for the certificate of that origin, as PEM, instead of those usually. */
  serverCa?: string | undefined;
  /** `read` follows redirects to other origins too, without credentials; `write` only within the origin, and only those that keep method and body. */
  redirects: 'read' | 'write';
}

export interface HttpResponse {
  status: number;
  headers: Record<string, string | string[]>;
  /** Where it came from, after redirects. */
  url: string;
  /** Decompressed. It has to be read, or at least begun: until then it holds its connection. */
  body: AsyncIterable<Uint8Array>;
}

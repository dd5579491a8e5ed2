import { type Client, type ClientOptions, createClient as createFetchingClient } from '@executor/client';
import { httpFetch } from './http-fetch.ts';

/** A client of the server whose requests cost a command little CPU time. */
export function createClient(options: Omit<ClientOptions, 'fetch'>): Client {
  return createFetchingClient({ ...options, fetch: httpFetch });
}

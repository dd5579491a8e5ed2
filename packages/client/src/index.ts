export { type Client, type ClientOptions, createClient } from './client.ts';

import type * as Sdk from '@modelcontextprotocol/client';

let loading: Promise<typeof Sdk> | undefined;

/** The MCP SDK. It is loaded at the first connection, because most servers never need its memory. */
export function loadSdk(): Promise<typeof Sdk> {
  loading ??= import('@modelcontextprotocol/client');
  return loading;
}

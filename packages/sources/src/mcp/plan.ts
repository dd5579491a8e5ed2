import type { Route } from './connection/session.ts';

/** The request that a tool sends. */
export interface McpPlan {
  method: 'tools/call' | 'resources/list' | 'resources/read' | 'prompts/list' | 'prompts/get';
  /** The tool's name at the server. */
  name?: string;
  route: Route;
}

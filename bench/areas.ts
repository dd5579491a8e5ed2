import { measureAgents } from './agents.ts';
import { measureDiscovery } from './discovery.ts';
import { measureEngine } from './engine.ts';
import type { Figure } from './figure.ts';
import { measureFoundation } from './foundation.ts';
import { measureMcp } from './mcp.ts';
import { measureNeighbours } from './neighbours.ts';
import { measureOpenApi } from './openapi.ts';
import { measureSandbox } from './sandbox.ts';
import { measureSources } from './sources.ts';

/** Each area of `npm run bench`, one line and one file each. */
export const areas: Record<string, (args: string[]) => Promise<Figure[]>> = {
  agents: measureAgents,
  discovery: measureDiscovery,
  engine: measureEngine,
  foundation: measureFoundation,
  neighbours: measureNeighbours,
  openapi: measureOpenApi,
  mcp: measureMcp,
  sandbox: measureSandbox,
  sources: measureSources,
};

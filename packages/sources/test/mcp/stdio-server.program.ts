import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio';
import { createFixtureServer, type FixtureState } from './fixture-server.ts';

/* A program that speaks one era. */
const era = process.argv[2] === 'modern' ? 'modern' : 'legacy';
const state: FixtureState = { era, calls: [], aborted: [], more: [] };
process.stderr.write(`ready with ${Object.keys(process.env).sort().join(' ')}\n`);
if (era === 'modern') serveStdio(() => createFixtureServer(state), { legacy: 'reject' });
else await createFixtureServer(state).connect(new StdioServerTransport());

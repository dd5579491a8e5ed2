import { startMcpServer } from '../packages/sources/test/mcp/http-servers.ts';

/* An MCP server in a process of its own. Prints its URL, and for each line of input how many sessions were opened. */
const server = await startMcpServer(process.argv[2] === 'modern' ? 'modern' : 'legacy');
console.log(server.url);
process.stdin.on('data', () => {
  const opened = server.requests.filter(({ body }) => body.includes('"initialize"')).length;
  server.requests.length = 0;
  console.log(opened);
});
process.stdin.on('end', () => process.exit());

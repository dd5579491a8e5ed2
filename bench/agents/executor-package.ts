import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type CallToolResult, Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import type { RunningService } from './services/fake-service.ts';

const version = '1.5.9';
const platform = `${process.platform}-${process.arch}`;

export interface Description {
  /** What its client shows a model at the start. */
  start: number;
  /** The characters of the search for each query, and of the description of its best match. */
  found: Map<string, number>;
}

/**
 * Measures how the npm package `executor` 1.5.9 describes tools: its own workflow is to search, and to describe the best
 * match. It is downloaded when this runs, into a temporary folder, and never becomes a dependency.
 */
export async function describeWithPackage(
  services: RunningService[],
  queries: string[],
): Promise<Description> {
  const program = download();
  const home = mkdtempSync(join(tmpdir(), 'executor-package-home-'));
  const client = new Client({ name: 'agent-benchmark', version: '1' });
  const documents = await serveDocuments(services);
  try {
    const env = { PATH: process.env.PATH ?? '', HOME: home };
    const args = ['mcp', '--elicitation-mode', 'model'];
    await client.connect(new StdioClientTransport({ command: program, args, env, stderr: 'ignore' }));
    for (const { name, url } of services)
      await addSource(client, { name, url, document: `${documents.url}/${name}` });
    const { tools } = await client.listTools();
    const shown = tools.map(({ name, description, inputSchema }) => ({ name, description, inputSchema }));
    const start = JSON.stringify(shown).length + (client.getInstructions()?.length ?? 0);
    const found = new Map<string, number>();
    for (const query of new Set(queries)) found.set(query, (await execute(client, codeFor(query))).length);
    return { start, found };
  } finally {
    await client.close();
    await documents.close();
    rmSync(home, { recursive: true, force: true });
  }
}

/** The workflow that its own description shows. */
function codeFor(query: string): string {
  return `const found = await tools.search({ query: ${JSON.stringify(query)}, limit: 12 });
const path = found.items[0]?.path;
return { found, details: path ? await tools.describe.tool({ path }) : null };`;
}

function download(): string {
  const folder = join(tmpdir(), `executor-package-${version}`);
  const program = join(folder, 'package/bin/executor');
  if (existsSync(program)) return program;
  mkdirSync(folder, { recursive: true });
  const shell = process.platform === 'win32';
  const packed = execFileSync('npm', ['pack', '--silent', `executor@${version}-${platform}`], {
    cwd: folder,
    shell,
  });
  execFileSync('tar', ['xzf', packed.toString().trim()], { cwd: folder });
  return program;
}

async function addSource(
  client: Client,
  { name, url, document }: Pick<RunningService, 'name' | 'url' | 'document'>,
): Promise<void> {
  const spec = `{ spec: { kind: 'url', url: '${document}' }, slug: '${name}', baseUrl: '${url}', authenticationTemplate: [] }`;
  // It lists the tools of a source only if there is a connection with some credential.
  const connection = `{ owner: 'user', name: 'main', integration: '${name}', template: 'none', from: { provider: 'file', id: 'none' } }`;
  const added = await execute(client, `return await tools.executor.openapi.addSpec(${spec})`);
  const connected = await execute(
    client,
    `return await tools.executor.coreTools.connections.create(${connection})`,
  );
  if (!/"ok": ?true/.test(added) || !/"ok": ?true/.test(connected))
    throw new Error(`It does not accept ${name}: ${added.slice(0, 300)} ${connected.slice(0, 300)}`);
}

/** Runs code and accepts every question that it asks. */
async function execute(client: Client, code: string): Promise<string> {
  const options = { timeout: 300_000 };
  let text = textOf(await client.callTool({ name: 'execute', arguments: { code } }, options));
  for (let id = pausedRun(text); id !== undefined; id = pausedRun(text)) {
    const args = { executionId: id, action: 'accept' };
    text = textOf(await client.callTool({ name: 'resume', arguments: args }, options));
  }
  return text;
}

function pausedRun(text: string): string | undefined {
  return text.startsWith('Execution paused') ? /exec_\w+/.exec(text)?.[0] : undefined;
}

function textOf(result: unknown): string {
  const { content } = result as CallToolResult;
  return content.map((part) => (part.type === 'text' ? part.text : '')).join('\n');
}

async function serveDocuments(services: RunningService[]) {
  const server = createServer((request, response) => {
    const service = services.find(({ name }) => request.url === `/${name}`);
    response.writeHead(service ? 200 : 404, { 'content-type': 'application/json' }).end(service?.document);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

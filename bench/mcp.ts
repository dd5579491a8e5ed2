import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { buildProduct } from '../scripts/build.ts';
import { type Daemon, program, withDaemon } from './daemon.ts';
import type { Figure } from './figure.ts';
import { median } from './statistics.ts';

/** What MCP costs beyond the API that it is a door to. */
export async function measureMcp(): Promise<Figure[]> {
  await buildProduct();
  return withDaemon(async (daemon) => [...(await measureExecute(daemon)), await measureBridge(daemon)]);
}

async function measureExecute(daemon: Daemon): Promise<Figure[]> {
  const api = daemon.client();
  const url = urlOf(daemon);
  const key = keyOf(daemon);
  const figures: Figure[] = [];
  for (const [era, call] of Object.entries(calls)) {
    const times: { mcp: number; api: number }[] = [];
    for (let round = 0; round < 300; round++) {
      const mcp = await time(() => execute({ url, key }, call));
      times.push({ mcp, api: await time(() => api.executions.create({ code: 'return 1', waitMs: 25_000 })) });
    }
    const warm = times.slice(100);
    figures.push({
      name: `execute of return 1, ${era}, p50`,
      value: median(warm.map(({ mcp }) => mcp)),
      unit: 'ms',
      baseline: { name: 'the same through /v1', value: median(warm.map((pair) => pair.api)) },
      target: 1.5,
    });
  }
  return figures;
}

/** From the start of the process to the answer, with the daemon running. */
async function measureBridge({ env }: Daemon): Promise<Figure> {
  const params = {
    protocolVersion: '2025-11-25',
    capabilities: {},
    clientInfo: { name: 'bench', version: '1' },
  };
  const times: number[] = [];
  for (let round = 0; round < 11; round++) {
    const child = spawn(process.execPath, [program, 'mcp'], { env, stdio: ['pipe', 'pipe', 'inherit'] });
    const ended = once(child, 'close');
    const answered = once(child.stdout, 'data');
    child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params })}\n`);
    times.push(await time(() => answered));
    child.stdin.end();
    await ended;
  }
  return { name: 'executor mcp answers initialize', value: median(times), unit: 'ms', target: 500 };
}

interface McpCall {
  body: object;
  headers: Record<string, string>;
}

const _meta = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'bench', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
};
const params = { name: 'execute', arguments: { code: 'return 1' } };
const message = { jsonrpc: '2.0', id: 1, method: 'tools/call' };

/** The same call in each era of the protocol. */
const calls: Record<string, McpCall> = {
  '2026-07-28': {
    body: { ...message, params: { ...params, _meta } },
    headers: { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call', 'mcp-name': 'execute' },
  },
  'session era': { body: { ...message, params }, headers: {} },
};

interface Server {
  url: string;
  key: string;
}

async function execute({ url, key }: Server, { body, headers }: McpCall): Promise<void> {
  const response = await fetch(`${url}/mcp`, {
    method: 'POST',
    body: JSON.stringify(body),
    headers: {
      ...headers,
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    },
  });
  const text = await response.text();
  if (!text.includes('"text":"1"')) throw new Error(`${response.status}: ${text}`);
}

async function time(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
}

function urlOf({ executor }: Daemon): string {
  return JSON.parse(executor('status', '--json')).url;
}

function keyOf({ executor }: Daemon): string {
  return JSON.parse(executor('keys', 'create', 'bench', '--json')).key;
}

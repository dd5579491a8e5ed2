import type { LoadContext } from '@executor/engine';
import type { Client } from '@modelcontextprotocol/client';
import { anyResult } from '../call/send-request.ts';

/** A tool as the server lists it. Only its name is checked. */
interface ListedTool {
  name: string;
  title?: unknown;
  description?: unknown;
  inputSchema?: unknown;
  outputSchema?: unknown;
  annotations?: unknown;
}

export interface ListedTools {
  tools: ListedTool[];
  ttlMs: number | undefined;
}

interface ListOptions extends Pick<LoadContext, 'signal' | 'onProgress'> {
  warn(place: string, message: string): void;
}

const pageMs = 60_000;
const maxPages = 1_000;
const maxTools = 20_000;
const maxNameChars = 256;

/** Reads all pages. One unusable tool does not hide the others. */
export async function listTools(client: Client, options: ListOptions): Promise<ListedTools> {
  const { signal, onProgress, warn } = options;
  const tools = new Map<string, ListedTool>();
  let ttlMs: number | undefined;
  let cursor: string | undefined;
  for (let page = 0; page < maxPages; page++) {
    const params = cursor === undefined ? {} : { cursor };
    const result = await client.request({ method: 'tools/list', params }, anyResult, {
      signal,
      timeout: pageMs,
    });
    if (typeof result.ttlMs === 'number') ttlMs = Math.min(ttlMs ?? result.ttlMs, result.ttlMs);
    for (const tool of Array.isArray(result.tools) ? result.tools : []) {
      const problem = addTool(tools, tool);
      if (problem !== undefined) warn(nameOf(tool), problem);
    }
    onProgress?.({ stage: 'fetching', done: tools.size });
    const next = result.nextCursor;
    if (tools.size >= maxTools) {
      warn('', `The server has more than ${maxTools} tools. Executor uses the first ones.`);
      break;
    }
    if (typeof next !== 'string' || next === cursor) break;
    cursor = next;
  }
  return { tools: [...tools.values()].slice(0, maxTools), ttlMs };
}

function addTool(tools: Map<string, ListedTool>, tool: unknown): string | undefined {
  const { name } = Object(tool) as { name?: unknown };
  if (typeof name !== 'string' || name === '' || name.length > maxNameChars)
    return 'This tool has no usable name. Executor ignores it.';
  if (tools.has(name)) return 'The server lists several tools with this name. Executor uses the first one.';
  const { title, description, inputSchema, outputSchema, annotations } = tool as ListedTool;
  tools.set(name, { name, title, description, inputSchema, outputSchema, annotations });
  return undefined;
}

function nameOf(tool: unknown): string {
  const { name } = Object(tool) as { name?: unknown };
  return typeof name === 'string' ? name.slice(0, 100) : '';
}

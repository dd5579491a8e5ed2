import type { LoadContext } from '@executor/engine';
import type { Client } from '@modelcontextprotocol/client';
import { anyResult } from '../call/send-request.ts';
import { boundedSchema } from './bounded-schema.ts';

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
/** Longer than a description that is kept. */
const maxTextChars = 8_000;
/** All tools together. A server with more would fill the memory. */
const maxTotalChars = 64 * 1024 * 1024;

/** Reads all pages. One unusable tool does not hide the others. */
export async function listTools(client: Client, options: ListOptions): Promise<ListedTools> {
  const { signal, onProgress, warn } = options;
  const tools = new Map<string, ListedTool>();
  let ttlMs: number | undefined;
  let cursor: string | undefined;
  let chars = 0;
  for (let page = 0; page < maxPages; page++) {
    const params = cursor === undefined ? {} : { cursor };
    const result = await client.request({ method: 'tools/list', params }, anyResult, {
      signal,
      timeout: pageMs,
    });
    if (typeof result.ttlMs === 'number') ttlMs = Math.min(ttlMs ?? result.ttlMs, result.ttlMs);
    for (const tool of Array.isArray(result.tools) ? result.tools : []) {
      const read = readListed(tool, tools);
      if (typeof read === 'string') {
        warn(nameOf(tool), read);
        continue;
      }
      if (read.isCut)
        warn(read.tool.name, 'A schema of this tool is too large or invalid. Executor ignores it.');
      chars += read.chars;
      if (chars <= maxTotalChars) tools.set(read.tool.name, read.tool);
    }
    onProgress?.({ stage: 'fetching', done: tools.size });
    const next = result.nextCursor;
    if (tools.size >= maxTools) {
      warn('', `The server has more than ${maxTools} tools. Executor uses the first ones.`);
      break;
    }
    if (chars > maxTotalChars) {
      warn('', 'The tools of the server need too much memory. Executor uses the first ones.');
      break;
    }
    if (typeof next !== 'string' || next === cursor) break;
    cursor = next;
  }
  return { tools: [...tools.values()].slice(0, maxTools), ttlMs };
}

/** A bounded copy of a tool, so that nothing keeps the server's text in memory. A string says why there is none. */
function readListed(
  tool: unknown,
  known: ReadonlyMap<string, ListedTool>,
): { tool: ListedTool; chars: number; isCut: boolean } | string {
  const { name } = Object(tool) as { name?: unknown };
  if (typeof name !== 'string' || name === '' || name.length > maxNameChars)
    return 'This tool has no usable name. Executor ignores it.';
  if (known.has(name)) return 'The server lists several tools with this name. Executor uses the first one.';
  const { title, description, inputSchema = {}, outputSchema, annotations } = tool as ListedTool;
  const input = boundedSchema(inputSchema);
  const output = outputSchema === undefined ? undefined : boundedSchema(outputSchema);
  const copy = JSON.stringify({
    name,
    title: cut(title),
    description: cut(description),
    inputSchema: input,
    outputSchema: output,
    annotations: boundedSchema(annotations),
  });
  const isCut = input === undefined || (outputSchema !== undefined && output === undefined);
  return { tool: JSON.parse(copy), chars: copy.length, isCut };
}

function cut(text: unknown): unknown {
  return typeof text === 'string' ? text.slice(0, maxTextChars) : undefined;
}

function nameOf(tool: unknown): string {
  const { name } = Object(tool) as { name?: unknown };
  return typeof name === 'string' ? name.slice(0, 100) : '';
}

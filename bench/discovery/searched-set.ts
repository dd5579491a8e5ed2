import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { ChunkCache, type PackedTools, packTools, type Tool, ToolPack } from '@executor/engine';
import { createHttpClient, createOpenApiSource } from '@executor/sources';
import { buildReader } from '../../packages/sources/build.ts';

/** Tools to search, and their names in the set of requests. */
export interface SearchedTools {
  sources: { namespace: string; name: string; packed: PackedTools; pack: ToolPack }[];
  /** `METHOD /path` of an OpenAPI document, `server.tool` of a list. */
  keyOf(path: string): string;
}

interface ListedTool {
  server: string;
  name: string;
  description?: string;
  inputSchema?: Record<string, unknown>;
}

/** Reads an OpenAPI document, or a list of tools of several servers. */
export async function readTools(file: string, name?: string): Promise<SearchedTools> {
  const text = readFileSync(file, 'utf8');
  const list = text.trimStart().startsWith('[') ? (JSON.parse(text) as ListedTool[]) : undefined;
  return list ? fromList(list) : fromDocument(text, name ?? plain(basename(file).split('.', 1)[0] ?? ''));
}

async function fromList(list: ListedTool[]): Promise<SearchedTools> {
  const keys = new Map<string, string>();
  const servers = new Map<string, Tool[]>();
  for (const listed of list) {
    const path = `${plain(listed.server)}.${plain(listed.name)}`;
    keys.set(path, `${listed.server}.${listed.name}`);
    servers.set(listed.server, [...(servers.get(listed.server) ?? []), toolOf(path, listed)]);
  }
  const sources = [...servers].map(async ([server, tools]) => {
    const packed = packTools(tools);
    return {
      namespace: plain(server),
      name: server,
      packed,
      pack: await ToolPack.open(packed, new ChunkCache()),
    };
  });
  return { sources: await Promise.all(sources), keyOf: (path) => keys.get(path) ?? path };
}

/** A list does not say what its tools do, except in their descriptions. */
function toolOf(path: string, { name, description = '', inputSchema = {} }: ListedTool): Tool {
  return {
    path,
    description,
    effect: 'write',
    repeatable: false,
    version: '1',
    origin: { name },
    inputSchema,
  };
}

function plain(name: string): string {
  return name.replace(/[^\w-]/g, '_');
}

/** The file is named after the system, as a user would name it. */
async function fromDocument(document: string, namespace: string): Promise<SearchedTools> {
  const folder = mkdtempSync(join(tmpdir(), 'executor-discovery-'));
  const http = createHttpClient();
  try {
    await buildReader(folder);
    const source = createOpenApiSource({ http, readerFolder: folder });
    const context = { sourceId: 'src', namespace, signal: AbortSignal.timeout(120_000) };
    const { tools: packed, title = '' } = await source.load({ document }, context);
    const pack = await ToolPack.open(packed, new ChunkCache());
    const keyOf = (path: string) => {
      const { method, path: route } = pack.row(path)?.origin ?? {};
      return `${method} ${route}`;
    };
    return { sources: [{ namespace, name: title, packed, pack }], keyOf };
  } finally {
    await http.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

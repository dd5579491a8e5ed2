import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import {
  createMcpHandler,
  type Server,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server';
import { startLocalServer } from '../local-server.ts';
import { createFixtureServer, type FixtureState } from './fixture-server.ts';

/** A server of one era over HTTP, with what it received. */
export async function startMcpServer(era: FixtureState['era'], { bearer }: { bearer?: string } = {}) {
  const state: FixtureState = { era, calls: [], aborted: [], more: [] };
  const requests: { method: string; headers: IncomingMessage['headers']; body: string }[] = [];
  const sessions = new Map<string, { transport: WebStandardStreamableHTTPServerTransport; server: Server }>();
  const ended: string[] = [];
  const modern = createMcpHandler(() => createFixtureServer(state), { legacy: 'reject' });
  const serveSession = async (request: Request): Promise<Response> => {
    const id = request.headers.get('mcp-session-id');
    const known = id === null ? undefined : sessions.get(id);
    if (known) return known.transport.handleRequest(request);
    if (id !== null)
      return Response.json(
        { jsonrpc: '2.0', id: null, error: { code: -32_001, message: 'No session' } },
        { status: 404 },
      );
    const server = createFixtureServer(state);
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      onsessioninitialized: (sessionId) => void sessions.set(sessionId, { transport, server }),
      onsessionclosed: (sessionId) => {
        ended.push(sessionId);
        sessions.delete(sessionId);
      },
    });
    await server.connect(transport);
    return transport.handleRequest(request);
  };
  const listener = await startLocalServer(async (incoming, outgoing) => {
    const body = await readBody(incoming);
    requests.push({ method: incoming.method ?? '', headers: incoming.headers, body });
    if (bearer !== undefined && incoming.headers.authorization !== `Bearer ${bearer}`)
      return outgoing.writeHead(401).end();
    const request = toRequest(incoming, outgoing, body);
    await relay(await (era === 'modern' ? modern.fetch(request) : serveSession(request)), outgoing);
  });
  return {
    url: `${listener.url}/mcp`,
    state,
    requests,
    sessions,
    ended,
    /** Forgets all sessions, as a server does that restarts. */
    forget: () => sessions.clear(),
    /** Says that its tools have changed. */
    async announce() {
      for (const { server } of sessions.values()) await server.sendToolListChanged();
      modern.notify?.toolsChanged();
    },
    async close() {
      for (const { transport } of sessions.values()) await transport.close();
      await modern.close?.();
      await listener.close();
    },
  };
}

export type McpTestServer = Awaited<ReturnType<typeof startMcpServer>>;

function toRequest(incoming: IncomingMessage, outgoing: ServerResponse, body: string): Request {
  const gone = new AbortController();
  outgoing.on('close', () => gone.abort());
  return new Request(`http://${incoming.headers.host}${incoming.url}`, {
    method: incoming.method ?? 'GET',
    headers: incoming.headers as Record<string, string>,
    signal: gone.signal,
    ...(body !== '' && { body }),
  });
}

async function relay(response: Response, outgoing: ServerResponse): Promise<void> {
  outgoing.writeHead(response.status, Object.fromEntries(response.headers));
  outgoing.flushHeaders();
  if (response.body === null) return void outgoing.end();
  const body = Readable.fromWeb(response.body as never);
  body.on('error', () => outgoing.destroy());
  outgoing.on('close', () => body.destroy());
  body.pipe(outgoing);
}

async function readBody(incoming: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of incoming) text += chunk;
  return text;
}

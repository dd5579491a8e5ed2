import { randomUUID } from 'node:crypto';
import type { DetectedSource, DetectOptions } from '@executor/engine';
import { ConnectError } from './connection/open-session.ts';
import type { Sessions } from './connection/sessions.ts';

/** Connects to the server at a URL, or at `/mcp` below it, and closes the connection again. */
export async function detectServer(
  url: string,
  options: DetectOptions,
  sessions: Sessions,
): Promise<DetectedSource | undefined> {
  if (!URL.canParse(url)) return undefined;
  const found = await Promise.all(
    candidates(url, options).map((at) => detectAt(at, url, { ...options, sessions })),
  );
  return found.find((one) => one !== undefined);
}

function candidates(url: string, { near = false }: DetectOptions): string[] {
  const below = new URL(url);
  below.pathname = `${below.pathname.replace(/\/$/, '')}/mcp`;
  return near || namesMcp(url) ? [url] : [url, below.href];
}

async function detectAt(
  url: string,
  typed: string,
  { signal, allowPrivateNetwork, serverCa, report, sessions }: DetectOptions & { sessions: Sessions },
): Promise<DetectedSource | undefined> {
  const sourceId = `detect_${randomUUID()}`;
  const settings = { url, allowPrivateNetwork, ...(serverCa !== undefined && { serverCa }) };
  const seen = (outcome: string) => report?.({ request: `server/discover, initialize ${url}`, outcome });
  try {
    const { session } = await sessions.acquire({ sourceId, settings, auth: {}, signal });
    const { title, name } = session.client.getServerVersion() ?? {};
    seen('an MCP server');
    const shown = title ?? name;
    return {
      settings: { url },
      transport: session.route.transport,
      servers: [url],
      ...(shown !== undefined && { title: shown }),
    };
  } catch (error) {
    const { status } = error instanceof ConnectError ? error.failure : {};
    seen(
      signal.aborted
        ? 'timed out'
        : `no MCP server${status === undefined ? '' : `, responded with ${status}`}`,
    );
    const isLocked = (status === 401 || status === 403) && url === typed && namesMcp(url);
    return isLocked ? { settings: { url }, confidence: 'likely', servers: [url] } : undefined;
  } finally {
    sessions.release(sourceId).catch(() => {});
  }
}

/** Whether a URL is named like those of MCP servers. A server that asks for credentials may ask for them everywhere. */
function namesMcp(url: string): boolean {
  const { hostname, pathname } = new URL(url);
  return /(^|\.)mcp\./.test(hostname) || /\/(mcp|sse)\/?$/.test(pathname);
}

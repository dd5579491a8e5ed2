import { EventFrameParser } from '@executor/client';
import { ExecutorError } from '@executor/protocol';
import type { Access } from './agent-server.ts';
import type { Message } from './client-line.ts';

export interface Post {
  body: string;
  headers: Record<string, string>;
  signal: AbortSignal;
  /** Called with every message of the response as it arrives. */
  onMessage(message: Message): void;
}

export type Posted =
  | { type: 'answered'; sessionId: string | null }
  /** The server is away, stopping or busy. The same request may be repeated. */
  | { type: 'away'; retryMs: number; message: string }
  | { type: 'refused'; status: number; message: string };

/** Sends one request of a client to the server and reads the complete response. */
export async function post(
  { url, key }: Access,
  { body, headers, signal, onMessage }: Post,
): Promise<Posted> {
  try {
    const response = await fetch(`${url}/mcp`, {
      method: 'POST',
      redirect: 'error',
      signal,
      body,
      headers: {
        ...headers,
        authorization: `Bearer ${key}`,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
      },
    });
    return await readAnswer(response, onMessage);
  } catch (error) {
    if (signal.aborted || error instanceof ExecutorError) throw error;
    return { type: 'away', retryMs: 200, message: 'The server cannot be reached.' };
  }
}

async function readAnswer(response: Response, onMessage: Post['onMessage']): Promise<Posted> {
  const { status, headers } = response;
  const type = headers.get('content-type') ?? '';
  if (type.startsWith('text/event-stream')) {
    await readEvents(response, onMessage);
    return { type: 'answered', sessionId: headers.get('mcp-session-id') };
  }
  const answer = parse(await response.text());
  const isOwn = answer?.jsonrpc === '2.0' || Array.isArray(answer);
  if (status === 429 || status >= 502)
    return { type: 'away', retryMs: retryMs(headers), message: messageOf(answer) };
  if (isOwn && status !== 401) {
    for (const message of [answer].flat()) onMessage(message as Message);
    return { type: 'answered', sessionId: headers.get('mcp-session-id') };
  }
  if (status < 300) return { type: 'answered', sessionId: headers.get('mcp-session-id') };
  return { type: 'refused', status, message: messageOf(answer) };
}

async function readEvents(response: Response, onMessage: Post['onMessage']): Promise<void> {
  const parser = new EventFrameParser();
  for await (const piece of response.body ?? []) {
    for (const { data } of parser.push(piece)) {
      const message = data === undefined ? undefined : parse(data);
      if (message) onMessage(message);
    }
  }
}

function retryMs(headers: Headers): number {
  const seconds = Number(headers.get('retry-after'));
  return seconds > 0 ? Math.min(seconds * 1_000, 10_000) : 500;
}

function messageOf(answer: Message | undefined): string {
  const error = answer?.error as { message?: unknown } | undefined;
  return typeof error?.message === 'string' ? error.message : 'The server did not answer as expected.';
}

function parse(text: string): Message | undefined {
  try {
    return JSON.parse(text) ?? undefined;
  } catch {
    return undefined;
  }
}

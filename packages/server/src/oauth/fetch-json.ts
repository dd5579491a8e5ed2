import { ExecutorError } from '@executor/protocol';

export type FetchJson = (url: string) => Promise<unknown>;

const timeoutMs = 5_000;
const maxBytes = 256 * 1024;

/** Fetches JSON with a timeout and a size limit. Redirects are not followed, because the configuration names only the first URL. */
export async function fetchJson(url: string): Promise<unknown> {
  const signal = AbortSignal.timeout(timeoutMs);
  try {
    const headers = { accept: 'application/json' };
    const response = await fetch(url, { signal, headers, redirect: 'manual' });
    if (response.status !== 200) {
      await response.body?.cancel();
      throw new NotServed(`${url} answers ${response.status}`);
    }
    return parsed(await readText(response, url), url);
  } catch (error) {
    if (error instanceof ExecutorError || error instanceof NotServed) throw error;
    throw unusable(
      url,
      signal.aborted ? `no answer within ${timeoutMs / 1_000} seconds` : reason(error),
      error,
    );
  }
}

/** The server answers, but has no such document at this URL. */
export class NotServed extends Error {}

async function readText({ body }: Response, url: string): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body ?? []) {
    size += chunk.length;
    if (size > maxBytes) throw new NotServed(`${url}: more than ${maxBytes} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}

/** Many servers answer every path with a page. */
function parsed(text: string, url: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new NotServed(`${url}: not JSON`);
  }
}

function unusable(url: string, problem: string, cause: unknown): ExecutorError {
  return new ExecutorError('unreachable', `The authorization server cannot be used: ${url}: ${problem}.`, {
    cause,
  });
}

function reason(error: unknown): string {
  const { cause, message } = error as Error & { cause?: { code?: string } };
  return cause?.code ?? message;
}

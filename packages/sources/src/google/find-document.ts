import type { DetectedSource, DetectOptions } from '@executor/engine';
import { documentHeaders } from '../http/fetch-document.ts';
import type { HttpClient } from '../http/http-client.ts';

const requestMs = 8_000;
/** `kind` is in the first 17 KB of all documents of Google. */
const maxChars = 256 * 1024;

/** The Discovery document at a URL, or where Google's servers have it below. Undefined if there is none. */
export async function findDocument(
  http: HttpClient,
  url: string,
  options: DetectOptions,
): Promise<DetectedSource | undefined> {
  if (!URL.canParse(url)) return undefined;
  const below = new URL(url);
  below.pathname = `${below.pathname.replace(/\/$/, '')}/$discovery/rest`;
  const candidates = [url, below.href];
  const isDocument = await Promise.all(candidates.map((candidate) => probe(http, candidate, options)));
  for (const [index, request] of candidates.entries())
    options.report?.({
      request: `GET ${request}`,
      outcome: isDocument[index] ? 'a Discovery document' : 'no Discovery document',
    });
  const found = candidates[isDocument.indexOf(true)];
  return found === undefined ? undefined : { settings: { url: found } };
}

async function probe(
  http: HttpClient,
  url: string,
  { signal, allowPrivateNetwork, serverCa }: DetectOptions,
): Promise<boolean> {
  const end = new AbortController();
  try {
    const response = await http.send(
      { method: 'GET', url, headers: documentHeaders },
      {
        signal: AbortSignal.any([signal, end.signal, AbortSignal.timeout(requestMs)]),
        allowPrivateNetwork,
        serverCa,
        redirects: 'read',
      },
    );
    return response.status === 200 && (await isDiscovery(response.body));
  } catch {
    return false;
  } finally {
    // Ends what is left of the body.
    end.abort();
  }
}

async function isDiscovery(body: AsyncIterable<Uint8Array>): Promise<boolean> {
  const decoder = new TextDecoder();
  let text = '';
  for await (const chunk of body) {
    text += decoder.decode(chunk, { stream: true });
    if (text.length > maxChars) break;
  }
  return /"kind"\s*:\s*"discovery#restDescription"/.test(text);
}

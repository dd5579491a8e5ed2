/** What a call over HTTP will send, as the server shows it. */
export interface HttpRequest {
  method: string;
  url: string;
  headers: [string, string][];
  body?: unknown;
  /** What else there is: a page that does not know it shows it all the same. */
  rest: Record<string, unknown>;
}

/** Undefined where it is not a call over HTTP, and is best shown as what it is. */
export function asHttpRequest(request: unknown): HttpRequest | undefined {
  if (typeof request !== 'object' || request === null) return undefined;
  const { method, url, headers, body, ...rest } = request as Record<string, unknown>;
  if (typeof method !== 'string' || typeof url !== 'string') return undefined;
  const pairs = headerPairs(headers);
  return {
    method,
    url,
    headers: pairs ?? [],
    ...(body !== undefined && { body }),
    rest: pairs === undefined ? { headers, ...rest } : rest,
  };
}

function headerPairs(headers: unknown): [string, string][] | undefined {
  if (headers === undefined) return [];
  if (typeof headers !== 'object' || headers === null || Array.isArray(headers)) return undefined;
  const entries = Object.entries(headers);
  return entries.every((entry): entry is [string, string] => typeof entry[1] === 'string')
    ? entries
    : undefined;
}

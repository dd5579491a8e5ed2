/** What a call over HTTP will send, as the server shows it. */
export interface HttpRequest {
  method: string;
  url: string;
  headers: [string, string][];
  body?: unknown;
  /** What stands in for a body that is too long: it says which, and is not what is sent. */
  bodyNote?: BodyNote;
  /** What else there is: a page that does not know it shows it all the same. */
  rest: Record<string, unknown>;
}

export interface BodyNote {
  bytes: number;
  mediaType: string;
  sha256: string;
}

/** Whether something of what will be sent is shown by its length, hash or name: what the code passed says the rest. */
export function isShortened(request: unknown): boolean {
  return (
    typeof request === 'object' && request !== null && 'shortened' in request && request.shortened === true
  );
}

/** Undefined where it is not a call over HTTP, and is best shown as what it is. */
export function asHttpRequest(request: unknown): HttpRequest | undefined {
  if (typeof request !== 'object' || request === null) return undefined;
  const { method, url, headers, body, shortened, ...others } = request as Record<string, unknown>;
  if (typeof method !== 'string' || typeof url !== 'string') return undefined;
  const pairs = headerPairs(headers);
  const isNote = shortened === true && isBodyNote(body);
  const rest = shortened === undefined || shortened === true ? others : { ...others, shortened };
  return {
    method,
    url,
    headers: pairs ?? [],
    ...(body !== undefined && (isNote ? { bodyNote: body } : { body })),
    rest: pairs === undefined ? { headers, ...rest } : rest,
  };
}

/** Only where the server says that it stands in for something: a body of its own may have the same fields. */
function isBodyNote(body: unknown): body is BodyNote {
  if (typeof body !== 'object' || body === null) return false;
  const { bytes, mediaType, sha256, ...others } = body as Record<string, unknown>;
  const isNote = typeof bytes === 'number' && typeof mediaType === 'string' && typeof sha256 === 'string';
  return isNote && Object.keys(others).length === 0;
}

function headerPairs(headers: unknown): [string, string][] | undefined {
  if (headers === undefined) return [];
  if (typeof headers !== 'object' || headers === null || Array.isArray(headers)) return undefined;
  const entries = Object.entries(headers);
  return entries.every((entry): entry is [string, string] => typeof entry[1] === 'string')
    ? entries
    : undefined;
}

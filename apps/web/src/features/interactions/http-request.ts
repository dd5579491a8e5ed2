/** The HTTP request of a call, as the server describes it. */
export interface HttpRequest {
  method: string;
  url: string;
  headers: [string, string][];
  body?: unknown;
  /** Describes a body that is too long to show. It is not the body itself. */
  bodyNote?: BodyNote;
  /** Fields that this page does not know. It shows them as JSON. */
  others: Record<string, unknown>;
}

export interface BodyNote {
  bytes: number;
  mediaType: string;
  sha256: string;
}

/** Whether parts of the request are shown only by length, hash or name. The input of the code then shows the complete values. */
export function isShortened(request: unknown): boolean {
  return (
    typeof request === 'object' && request !== null && 'shortened' in request && request.shortened === true
  );
}

/** Undefined if the request is not an HTTP request. */
export function asHttpRequest(request: unknown): HttpRequest | undefined {
  if (typeof request !== 'object' || request === null) return undefined;
  const { method, url, headers, body, shortened, ...fields } = request as Record<string, unknown>;
  if (typeof method !== 'string' || typeof url !== 'string') return undefined;
  const pairs = headerPairs(headers);
  const isNote = shortened === true && isBodyNote(body);
  const others = shortened === undefined || shortened === true ? fields : { ...fields, shortened };
  return {
    method,
    url,
    headers: pairs ?? [],
    ...(body !== undefined && (isNote ? { bodyNote: body } : { body })),
    others: pairs === undefined ? { headers, ...others } : others,
  };
}

/** Checked only if the server says that the request is shortened, because a real body may have the same fields. */
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

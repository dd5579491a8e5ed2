import { createHash } from 'node:crypto';
import type { CredentialNames, Preview, SourceCall } from '@executor/engine';
import { RequestError } from '../../call/request-error.ts';
import type { HttpRequest } from '../../http/http-client.ts';
import { checkHeader } from '../../openapi/request/header-parameter.ts';
import { checkHeaderNames } from '../../openapi/request/names/check-names.ts';
import { endpointOf, type GraphQlSettings } from '../settings.ts';
import { type FieldDocument, fieldDocument } from './field-document.ts';

export interface PlannedRequest {
  url: string;
  headers: Record<string, string>;
  document: FieldDocument;
}

type Call = Pick<SourceCall, 'tool' | 'input'> & { settings: GraphQlSettings };

/** Servers that follow the specification answer with the first media type, older ones with the second. */
const accept = 'application/graphql-response+json, application/json;q=0.9';

/** Plans the request of a call. Throws a `RequestError` if it cannot be sent. */
export function planRequest({ tool, input, settings }: Call, credentials?: CredentialNames): PlannedRequest {
  const url = endpointOf(settings);
  if (url === undefined)
    throw new RequestError(
      'The schema does not say where its server is. Set its URL: executor sources edit NS --base-url URL',
    );
  const headers: Record<string, string> = { accept, 'user-agent': 'executor' };
  for (const [name, value] of Object.entries(settings.headers ?? {}))
    headers[name.toLowerCase()] = checkHeader(name, value);
  // The body is always JSON. Another type would let the server read it as something else.
  headers['content-type'] = 'application/json';
  checkHeaderNames([...Object.keys(headers), ...(credentials?.headers ?? [])]);
  return { url, headers, document: fieldDocument(tool, input) };
}

export function toHttpRequest({ url, headers, document }: PlannedRequest): HttpRequest {
  return { method: 'POST', url, headers, body: JSON.stringify(document) };
}

/** Longer variables are shown by their length and hash. */
const maxShownChars = 16 * 1024;

/** The request as a reviewer sees it, without credentials and without values in the URL that may be secret. */
export function previewRequest({ url, headers, document }: PlannedRequest): Preview {
  const shown = new URL(url);
  shown.username = '';
  shown.password = '';
  for (const name of [...shown.searchParams.keys()]) shown.searchParams.set(name, '***');
  const { query, variables } = document;
  const text = JSON.stringify(variables);
  const isShort = text.length <= maxShownChars;
  const body = { query, variables: isShort ? JSON.parse(text) : summaryOf(text) };
  return { method: 'POST', url: shown.href, headers, body, ...(!isShort && { shortened: true as const }) };
}

function summaryOf(text: string): { bytes: number; sha256: string } {
  return { bytes: Buffer.byteLength(text), sha256: createHash('sha256').update(text).digest('hex') };
}

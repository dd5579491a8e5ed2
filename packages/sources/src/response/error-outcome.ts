import { STATUS_CODES } from 'node:http';
import type { Invocation, InvocationOutcome, Tool } from '@executor/engine';
import type { HttpResponse } from '../http/http-client.ts';
import { BodyRoom } from './body-room.ts';
import { decodeText } from './decode-text.ts';
import { apiErrorOf, cut } from './error-message.ts';
import { jsonOrText } from './event-stream.ts';
import { readUpTo } from './limited-body.ts';
import { parseMediaType } from './media-type.ts';
import { rateLimitOf, retryAfterMs } from './rate-limit.ts';
import { scopeAdvice } from './scope-advice.ts';

const maxBytes = 256 * 1024;
/** Limit for the text of a body that is not JSON. */
const maxTextChars = 2000;
/** Limit for text that regular expressions run on. */
const maxSearchedChars = 16 * 1024;
/** Limit for a JSON body. */
const maxJsonChars = 32 * 1024;

interface ErrorContext extends Pick<Invocation, 'allowAnswer'> {
  now: number;
  unauthenticated: boolean;
  security?: Tool['security'];
}

/** Converts an error response to an error whose message starts with the API's own message. */
export async function errorOutcome(
  response: HttpResponse,
  { now, unauthenticated, security, allowAnswer }: ErrorContext,
): Promise<InvocationOutcome & { type: 'error' }> {
  const { status, headers } = response;
  const { body, page } = await errorBody(response, new BodyRoom(allowAnswer, response.length));
  const api = page === undefined ? apiErrorOf(body, status) : { message: page };
  const rateLimit = rateLimitOf(headers, now);
  const retryAfter = retryAfterMs(headers, now);
  const location = typeof headers.location === 'string' ? headers.location : undefined;
  return {
    type: 'error',
    message: sentence(response, api.message, unauthenticated) + scopeAdvice(response, body, security),
    details: {
      status,
      code: ('code' in api ? api.code : undefined) ?? codeOfStatus(status),
      message: api.message ?? nameOf(status),
      body: body ?? null,
      ...(location !== undefined && { location }),
      ...(retryAfter !== undefined && { retryAfterMs: retryAfter }),
      ...(rateLimit && { rateLimit }),
    },
  };
}

function sentence(
  { status, url, headers }: HttpResponse,
  message: string | undefined,
  unauthenticated: boolean,
): string {
  const http = nameOf(status);
  const { host } = new URL(url);
  if (status >= 300 && status < 400 && typeof headers.location === 'string')
    return `${host} redirects this call to ${cut(headers.location, 300)} (${http}). Executor sent nothing there, because the call was checked for another address. Set a base URL that does not redirect.`;
  const summary = message === undefined ? `${host} responded with ${http}` : `${message} (${http})`;
  return status === 401 && unauthenticated
    ? `${summary}. No credentials were sent, because the source has none for this call. Add credentials to the source.`
    : summary;
}

function nameOf(status: number): string {
  const name = STATUS_CODES[status] ?? '';
  return `HTTP ${status}${name && ` ${name}`}`;
}

async function errorBody(
  { body, headers }: HttpResponse,
  room: BodyRoom,
): Promise<{ body?: unknown; page?: string }> {
  // The status is known even if the body is cut off.
  const { bytes, complete } = await readUpTo(body, { maxBytes, room });
  if (bytes.length === 0) return {};
  const mediaType = parseMediaType(headers['content-type']);
  const text = decodeText(bytes, mediaType.parameters.get('charset'));
  if (/^\s*(<!doctype html|<html)/i.test(text)) return withPage(text);
  if (/^\s*<\?xml|^\s*<\w/.test(text)) return { body: cut(text, maxTextChars), ...xmlMessage(text) };
  const value = complete ? jsonOrText(text) : text;
  if (typeof value === 'string') return { body: cut(value, maxTextChars) };
  return { body: text.length > maxJsonChars ? cut(text, maxJsonChars) : value };
}

/** The title and first words of an HTML page. */
function withPage(whole: string): { body: string; page?: string } {
  const html = whole.slice(0, maxSearchedChars);
  const title = /<title[^>]*>([^<]{1,300})<\/title>/i.exec(html)?.[1]?.replace(/\s+/g, ' ').trim();
  const words = html
    .replace(/<(script|style)\b[^<]*(?:<(?!\/\1)[^<]*)*<\/\1>/gi, ' ')
    .replace(/<[^<>]*>/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();
  return { body: cut(words, maxTextChars), ...(title && { page: title }) };
}

/** Error format of cloud storage services. */
function xmlMessage(whole: string): { page?: string } {
  const xml = whole.slice(0, maxSearchedChars);
  const message = /<(?:\w+:)?(?:message|faultstring|detail|error_description)[^<>]*>([^<]{1,500})</i.exec(
    xml,
  )?.[1];
  return message === undefined ? {} : { page: message.trim() };
}

const codes: Record<number, string> = {
  400: 'badRequest',
  401: 'unauthorized',
  402: 'paymentRequired',
  403: 'forbidden',
  404: 'notFound',
  405: 'methodNotAllowed',
  406: 'notAcceptable',
  408: 'timeout',
  409: 'conflict',
  410: 'gone',
  412: 'preconditionFailed',
  413: 'payloadTooLarge',
  415: 'unsupportedMediaType',
  422: 'unprocessable',
  423: 'locked',
  429: 'rateLimited',
  501: 'notImplemented',
  502: 'badGateway',
  503: 'unavailable',
  504: 'gatewayTimeout',
};

function codeOfStatus(status: number): string {
  if (status < 400) return 'redirected';
  return codes[status] ?? (status < 500 ? 'refused' : 'serverError');
}

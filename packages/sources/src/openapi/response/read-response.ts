import type { Invocation, InvocationOutcome } from '@executor/engine';
import type { HttpResponse } from '../../http/http-client.ts';
import { isJson } from '../request/content-parameter.ts';
import { responseField } from '../response-field.ts';
import { errorOutcome } from './error-outcome.ts';
import { ResponseTooLargeError } from './limited-body.ts';
import { type LinkContext, linksOf } from './links.ts';
import { rateLimitOf } from './rate-limit.ts';
import { responseValue } from './response-value.ts';
import { usefulHeaders } from './useful-headers.ts';

export interface ResponseContext extends LinkContext {
  maxBytes: number | undefined;
  streamsEndAt: number;
  unauthenticated: boolean;
  now: number;
  putArtifact: Invocation['putArtifact'];
}

/** Converts a response to the value that the code receives. */
export async function readResponse(
  response: HttpResponse,
  context: ResponseContext,
): Promise<InvocationOutcome> {
  const { status, headers, url } = response;
  if (!isSuccess(response, context)) return errorOutcome(response, context);
  try {
    const body = await successValue(response, context);
    if ((context.input as Record<string, unknown> | null)?.[responseField] !== 'full')
      return { type: 'value', value: body };
    const rateLimit = rateLimitOf(headers, context.now);
    const links = linksOf(headers.link, url, context);
    const value = {
      status,
      headers: usefulHeaders(headers, context.plan),
      body,
      links,
      ...(rateLimit && { rateLimit }),
    };
    return { type: 'value', value };
  } catch (error) {
    if (!(error instanceof ResponseTooLargeError)) throw error;
    const details = { status, code: 'answerTooLarge', limit: error.limit };
    return { type: 'error', message: error.message, details };
  }
}

/** 303 means done, with the result elsewhere; 304 means that the caller's copy is current. */
function isSuccess({ status }: HttpResponse, { plan }: ResponseContext): boolean {
  return (
    (status >= 200 && status < 300) ||
    status === 304 ||
    (status === 303 && !/^(get|head)$/i.test(plan.method))
  );
}

async function successValue(
  response: HttpResponse,
  { plan, maxBytes, streamsEndAt, putArtifact }: ResponseContext,
): Promise<unknown> {
  const { status, headers } = response;
  const expectsJson = plan.accept.some(isJson);
  if (status === 204 || status === 205 || status === 304 || /^head$/i.test(plan.method)) {
    await drain(response);
    return null;
  }
  const value = await responseValue(response, { maxBytes, streamsEndAt, expectsJson, putArtifact });
  const isEmpty = value === null || value === '';
  if (status === 303 && isEmpty) return { status, location: headers.location };
  return isEmpty && expectsJson ? null : value;
}

/** Reads an empty body to its end, so that the connection can be reused. */
async function drain({ body }: HttpResponse): Promise<void> {
  for await (const _ of body) return;
}

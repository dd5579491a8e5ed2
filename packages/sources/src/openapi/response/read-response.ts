import type { CallAnswer, CallProblem, Tool } from '@executor/engine';
import type { HttpResponse } from '../../http/http-client.ts';
import { errorOutcome } from '../../response/error-outcome.ts';
import { ResponseTooLargeError } from '../../response/limited-body.ts';
import { rateLimitOf } from '../../response/rate-limit.ts';
import { JsonTooDeepError } from '../../response/read-json.ts';
import { type ResponseValue, responseValue, type ValueOptions } from '../../response/response-value.ts';
import { usefulHeaders } from '../../response/useful-headers.ts';
import type { OperationPlan } from '../operation.ts';
import { isJson } from '../request/content-parameter.ts';
import { responseField } from '../response-field.ts';
import { type LinkContext, linksOf } from './links.ts';

export interface ResponseContext extends LinkContext, Omit<ValueOptions, 'expectsJson' | 'isFile'> {
  tool: Pick<Tool, 'inputSchema' | 'definitions' | 'security'>;
  unauthenticated: boolean;
  now: number;
}

/** Converts a response to the value that the code receives. */
export async function readResponse(
  response: HttpResponse,
  context: ResponseContext,
): Promise<CallAnswer | CallProblem> {
  const { status, headers, url } = response;
  if (!isSuccess(response, context))
    return errorOutcome(response, { ...context, security: context.tool.security });
  try {
    const body = await successValue(response, context);
    const links = headers.link === undefined ? {} : linksOf(headers.link, url, context);
    if ((context.input as Record<string, unknown> | null)?.[responseField] !== 'full')
      return links.next?.input ? { ...body, hasNext: true } : body;
    const rateLimit = rateLimitOf(headers, context.now);
    const head = JSON.stringify({ status, headers: usefulHeaders(headers, context.plan) });
    const rest = JSON.stringify({ links, ...(rateLimit && { rateLimit }) });
    const json = body.type === 'json' ? body.json : JSON.stringify(body.value);
    return { type: 'json', json: `${head.slice(0, -1)},"body":${json},${rest.slice(1)}` };
  } catch (error) {
    if (error instanceof JsonTooDeepError)
      return { type: 'error', message: error.message, details: { status, code: 'resultTooLarge' } };
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
  { plan, ...options }: ResponseContext,
): Promise<ResponseValue> {
  const { status, headers } = response;
  const expectsJson = plan.accept.some(isJson);
  if (status === 204 || status === 205 || status === 304 || /^head$/i.test(plan.method)) {
    await drain(response);
    return { type: 'value', value: null };
  }
  const body = await responseValue(response, {
    ...options,
    expectsJson,
    isFile: isDownload(plan, options.requestUrl),
  });
  if (!isEmpty(body)) return body;
  if (status === 303) return { type: 'value', value: { status, location: headers.location } };
  return expectsJson ? { type: 'value', value: null } : body;
}

function isDownload({ download }: OperationPlan, url: string): boolean {
  return download !== undefined && new URL(url).searchParams.get(download.name) === download.value;
}

function isEmpty(body: ResponseValue): boolean {
  if (body.type === 'json') return body.json === 'null' || body.json === '""';
  return body.value === null || body.value === '';
}

/** Reads an empty body to its end, so that the connection can be reused. */
async function drain({ body }: HttpResponse): Promise<void> {
  for await (const _ of body) return;
}

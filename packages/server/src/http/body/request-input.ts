import { describeIssues, ExecutorError, issueSentence, pathParams, type Route } from '@executor/protocol';
import type { Context } from 'hono';
import type * as z from 'zod';
import { requireSignedBody } from '../../auth/proven-request.ts';
import { GrowingBytes } from '../stream/growing-bytes.ts';
import { BodyCharge, type BodyPayer } from './body-charge.ts';
import type { ParseInThread } from './json-thread.ts';

/** Path parameters, query and body of a request, parsed by the route's schemas into one flat object. */
export async function readInput(
  route: Route,
  http: Context,
  reading: BodyReading,
): Promise<Record<string, unknown>> {
  const params = Object.fromEntries(pathParams(route.path).map((name) => [name, readParam(http, name)]));
  const query = route.query ? parse(route.query, queryOf(route, http), 'query') : {};
  const body: object = route.body
    ? (parse(route.body, await readJson(http, route.maxBodyBytes, reading), 'body') as object)
    : {};
  return { ...query, ...body, ...params };
}

function readParam(http: Context, name: string): string {
  const value = http.req.param(name) ?? '';
  if (/^[\w.$-]{1,200}$/.test(value)) return value;
  throw new ExecutorError(
    'invalidRequest',
    `The path is invalid: ${name} may contain only letters, digits, _ . $ and -.`,
  );
}

function queryOf(route: Route, http: Context): Record<string, string> {
  const repeated = Object.entries(http.req.queries()).find(([, values]) => values.length > 1);
  if (repeated)
    throw new ExecutorError(
      'invalidRequest',
      `The query has "${repeated[0]}" ${repeated[1].length} times; give it once.`,
    );
  // A client that reconnects uses its first URL again, so the header overrides the query.
  const lastEventId = route.events && http.req.header('last-event-id');
  return { ...http.req.query(), ...(lastEventId && { after: lastEventId }) };
}

/** What reading a body needs. */
export interface BodyReading {
  payer: BodyPayer;
  /** Parses large bodies on another thread. */
  parseInThread: ParseInThread;
}

/** Reads a JSON body within the size limit. */
export async function readJson(
  http: Context,
  maxBodyBytes: number | undefined,
  { payer, parseInThread }: BodyReading,
): Promise<unknown> {
  const type = http.req.header('content-type') ?? '';
  // A page of another site can send a form or text without a CORS preflight, but not JSON.
  if (!/^application\/json\b/i.test(type)) {
    throw new ExecutorError(
      'unsupportedMediaType',
      `The body must be application/json, got ${type === '' ? 'no content-type' : type}.`,
    );
  }
  const bytes = await readBody(http, maxBodyBytes ?? ordinaryBodyBytes, new BodyCharge(payer));
  await requireSignedBody(http, bytes);
  // The bytes cannot be used after they were moved to another thread.
  const { length } = bytes;
  try {
    if (length > ordinaryBodyBytes) return await parseInThread(bytes);
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch (cause) {
    if (!(cause instanceof SyntaxError)) throw cause;
    throw new ExecutorError(
      'invalidRequest',
      `The body is not JSON: ${length === 0 ? 'it is empty' : cause.message}.`,
      { cause },
    );
  }
}

const ordinaryBodyBytes = 1024 * 1024;
const smallBodyBytes = 64 * 1024;

/** Reads the body in chunks, to stop early if it is too large. A body with a small `content-length` is read at once. */
async function readBody(
  http: Context,
  maxBodyBytes: number,
  charge: BodyCharge,
): Promise<Uint8Array<ArrayBuffer>> {
  const promised = Number(http.req.header('content-length')) || 0;
  // Reading a stream costs as much as the rest of a small request. Node enforces `content-length`.
  if (promised > 0 && promised <= Math.min(maxBodyBytes, smallBodyBytes)) {
    await charge.cover(promised);
    return new Uint8Array(await http.req.raw.arrayBuffer());
  }
  const body = new GrowingBytes(Math.min(promised, maxBodyBytes));
  for await (const chunk of http.req.raw.body ?? []) {
    if (body.length + chunk.length > maxBodyBytes) {
      throw new ExecutorError('payloadTooLarge', `The body is larger than ${maxBodyBytes} bytes.`, {
        details: { maxBodyBytes },
      });
    }
    await charge.cover(body.length + chunk.length);
    body.add(chunk);
  }
  return body.whole();
}

function parse<Schema extends z.ZodType>(schema: Schema, value: unknown, part: string): z.output<Schema> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw new ExecutorError('invalidRequest', `The ${part} is invalid: ${issueSentence(parsed.error)}.`, {
    details: { part, issues: describeIssues(parsed.error) },
  });
}

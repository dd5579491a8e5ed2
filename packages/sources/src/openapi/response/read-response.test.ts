import { localJsonReader, type NewArtifact } from '@executor/engine';
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import type { HttpResponse } from '../../http/http-client.ts';
import type { OperationPlan } from '../operation.ts';
import { type ResponseContext, readResponse } from './read-response.ts';

const plan: OperationPlan = {
  method: 'get',
  path: '/x',
  servers: [],
  accept: ['application/json'],
  parameters: ['page', 'q', 'tags', 'flag'].map((name) => ({
    field: name,
    name,
    in: 'query',
    style: 'form',
    explode: true,
  })),
};
const kept: NewArtifact[] = [];
beforeEach(() => void kept.splice(0));

interface Answer {
  status?: number;
  type?: string;
  headers?: Record<string, string | string[]>;
  body?: string | Uint8Array | AsyncIterable<Uint8Array>;
}

async function read(
  { status = 200, type, headers = {}, body = '' }: Answer,
  context: Partial<ResponseContext> = {},
) {
  const response: HttpResponse = {
    status,
    headers: { ...headers, ...(type !== undefined && { 'content-type': type }) },
    url: 'https://api.example/v1/x/report.pdf?page=1',
    body: typeof body === 'string' || body instanceof Uint8Array ? pieces(Buffer.from(body)) : body,
  };
  const outcome = await readResponse(response, {
    plan,
    tool: {
      inputSchema: {
        properties: {
          page: { type: 'integer' },
          q: { type: 'string' },
          tags: { type: 'array', items: { type: 'string' } },
          flag: { type: ['boolean', 'null'] },
        },
      },
    },
    input: {},
    requestUrl: 'https://api.example/v1/x?page=1',
    maxBytes: undefined,
    streamsEndAt: Date.now() + 10_000,
    unauthenticated: true,
    now: Date.parse('2026-01-01T00:00:00Z'),
    putArtifact: async (artifact) => {
      kept.push(artifact);
      return { artifactId: 'art_1', mediaType: artifact.mediaType, bytes: artifact.bytes.length };
    },
    allowAnswer: async () => {},
    jsonReader: localJsonReader,
    ...context,
  });
  return outcome.type === 'json' ? ({ type: 'value', value: JSON.parse(outcome.json) } as const) : outcome;
}

/** Small chunks, so that no test depends on their boundaries. */
async function* pieces(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += 7) yield bytes.subarray(at, at + 7);
}

async function* endless(text: string, everyMs = 0): AsyncGenerator<Uint8Array> {
  for (;;) {
    yield Buffer.from(text);
    await new Promise((next) => setTimeout(next, everyMs));
  }
}

/** Advances the clock beyond the deadline of streams. */
function passTime(): void {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 60_000 });
  onTestFinished(() => void vi.useRealTimers());
}

const value = async (answer: Answer, context: Partial<ResponseContext> = {}) => {
  const outcome = await read(answer, context);
  if (outcome.type === 'error') throw new Error(outcome.message);
  return outcome.value;
};

const textual = { plan: { ...plan, accept: ['text/plain'] } };

describe('a body becomes', () => {
  test.each<[string, Answer, unknown]>([
    ['JSON', { type: 'application/json', body: '{"a":[1]}' }, { a: [1] }],
    [
      'JSON with a vendor type',
      { type: 'application/vnd.api+json; charset=utf-8', body: '{"a":1}' },
      { a: 1 },
    ],
    ['JSON after a byte order mark', { type: 'application/json', body: '\ufeff{"a":"ä"}' }, { a: 'ä' }],
    ['JSON labelled as text', { type: 'text/html', body: ' {"a":1}' }, { a: 1 }],
    ['JSON labelled as bytes', { type: 'application/octet-stream', body: '[1]' }, [1]],
    ['JSON without a type', { body: '{"a":1}' }, { a: 1 }],
    ['null for an empty body', { type: 'application/json', body: '' }, null],
    ['null for status 204', { status: 204, type: 'application/json' }, null],
    ['null for status 304', { status: 304 }, null],
    ['text', { type: 'text/plain', body: 'not {json}' }, 'not {json}'],
    ['text without a type', { body: 'plain words' }, 'plain words'],
    ['text in its charset', { type: 'text/plain; charset="iso-8859-1"', body: Buffer.from([0xe4]) }, 'ä'],
    ['text in an unknown charset', { type: 'text/plain; charset=klingon', body: 'ä' }, 'ä'],
    ['UTF-16', { type: 'text/csv', body: Buffer.from('\ufeffä', 'utf16le') }, 'ä'],
    [
      'XML in the charset that it declares',
      {
        type: 'application/xml',
        body: Buffer.from('<?xml version="1.0" encoding="ISO-8859-1"?><a>ä</a>', 'latin1'),
      },
      '<?xml version="1.0" encoding="ISO-8859-1"?><a>ä</a>',
    ],
    [
      'XML in the charset of its headers',
      { type: 'text/xml; charset=utf-8', body: '<?xml version="1.0" encoding="ISO-8859-1"?><a>ä</a>' },
      '<?xml version="1.0" encoding="ISO-8859-1"?><a>ä</a>',
    ],
    ['text for XML', { type: 'application/atom+xml', body: '<a/>' }, '<a/>'],
    [
      'lines of JSON',
      { type: 'application/x-ndjson', body: '{"a":1}\n\n[2]\r\nnope' },
      [{ a: 1 }, [2], 'nope'],
    ],
    ['lines of JSON with another type', { type: 'application/json-stream', body: '1\n2\n' }, [1, 2]],
    [
      'the items of a Kubernetes watch',
      { type: 'application/json;stream=watch', body: '{"a":1}\n{"a":2}\n' },
      [{ a: 1 }, { a: 2 }],
    ],
    [
      'the items of a JSON sequence',
      { type: 'application/json-seq', body: '\u001e{"a":1}\n\u001e2\n' },
      [{ a: 1 }, 2],
    ],
  ])('%s', async (_, answer, expected) => {
    expect(await value(answer)).toEqual(expected);
  });

  test('text with a note if it is labelled as JSON but invalid', async () => {
    expect(await value({ type: 'application/json', body: '{"a":' })).toEqual({
      text: '{"a":',
      note: expect.stringContaining('labelled as JSON but is not valid JSON'),
    });
  });

  test('text if the document does not declare JSON', async () => {
    expect(await value({ type: 'text/plain', body: '{"a":1}' }, textual)).toBe('{"a":1}');
    expect(await value({ type: 'text/plain', body: '' }, textual)).toBe('');
  });

  test('an artifact if it is binary', async () => {
    const bytes = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 1, 2]);
    expect(await value({ type: 'image/png', body: bytes })).toEqual({
      type: 'artifact',
      id: 'art_1',
      mediaType: 'image/png',
      bytes: 7,
      name: 'report.pdf',
      message:
        'The response is not text, so it is stored as an artifact. Read parts of it with tools.executor.artifacts.read({ id, as: "base64", offset, length }).',
    });
    expect(Buffer.from(kept[0]?.bytes ?? [])).toEqual(bytes);
    expect(await value({ body: bytes })).toMatchObject({
      type: 'artifact',
      mediaType: 'application/octet-stream',
    });
  });

  test.each([
    ['attachment; filename="a b.zip"', 'a b.zip'],
    ["attachment; filename=x.zip; filename*=UTF-8''%e2%82%ac.zip", '€.zip'],
    ['attachment; filename="../../etc/passwd"', 'passwd'],
    ['attachment; filename="C:\\\\dir\\\\n.txt"', 'n.txt'],
    ['attachment; filename=".."', undefined],
    ['attachment; filename="a\r\nb"', 'ab'],
    ['inline', 'report.pdf'],
  ])('an artifact named after %s', async (disposition, name) => {
    const answer = { type: 'application/zip', body: 'PK', headers: { 'content-disposition': disposition } };
    expect(((await value(answer)) as { name?: string }).name).toBe(name);
  });
});

describe('a stream of events', () => {
  test('becomes a list with parsed data', async () => {
    const body = [
      ': comment',
      'event: message',
      'id: 7',
      'data: {"a":',
      'data: 1}',
      '',
      'data:plain',
      'retry: 10',
      '',
      'event: nothing',
      '',
      'data: [DONE]',
    ].join('\r\n');
    expect(await value({ type: 'text/event-stream', body })).toEqual([
      { event: 'message', id: '7', data: { a: 1 } },
      { data: 'plain' },
      { data: '[DONE]' },
    ]);
  });

  test('is cut at the size limit, with a marker', async () => {
    const events = (await value(
      { type: 'text/event-stream', body: endless('data: 1\n\n') },
      { maxBytes: 90 },
    )) as unknown[];
    expect(events.slice(0, 2)).toEqual([{ data: 1 }, { data: 1 }]);
    expect(events.at(-1)).toEqual({ event: 'executor:cutOff', data: expect.stringContaining('size limit') });
  });

  test('is cut at its deadline, even if the server sends nothing', async () => {
    async function* hanging() {
      yield Buffer.from('data: 1\n\ndata: half');
      passTime();
      await new Promise(() => {});
    }
    const events = await value({ type: 'text/event-stream', body: hanging() });
    expect(events).toEqual([
      { data: 1 },
      { event: 'executor:cutOff', data: expect.stringContaining('exceeded the timeout') },
    ]);
  });

  test('is cut in the same way if it consists of lines', async () => {
    async function* unending() {
      yield Buffer.from('{"a":1}\n');
      passTime();
      yield* endless('{"a":1}\n', 5);
    }
    const lines = (await value({ type: 'application/x-ndjson', body: unending() })) as unknown[];
    expect(lines[0]).toEqual({ a: 1 });
    expect(lines.at(-1)).toEqual({ cutOff: expect.stringContaining('exceeded the timeout') });
  });

  test('is cut at its deadline if a line never ends', async () => {
    const line = 'x'.repeat(16_384);
    const body = (async function* () {
      for (let piece = 0; piece < 640; piece++) yield Buffer.from(line);
    })();
    expect(await value({ type: 'application/x-ndjson', body })).toEqual([line.repeat(640)]);
  });
});

test('an endless response is an error that says what to do', async () => {
  const outcome = await read({ type: 'application/json', body: endless('[1,') }, { maxBytes: 1000 });
  expect(outcome).toEqual({
    type: 'error',
    message:
      'The response is larger than the limit of 1000 bytes. Request less, or raise the limit: executor sources edit NS --max-response BYTES',
    details: { status: 200, code: 'answerTooLarge', limit: 1000 },
  });
});

describe('an error', () => {
  test.each<[string, unknown, string, string]>([
    [
      'a problem',
      { type: 'https://e.example/out-of-credit', title: 'No credit', detail: 'Balance is 30.', status: 404 },
      'Balance is 30.',
      'notFound',
    ],
    ['a problem without a type', { type: 'about:blank', title: 'Not here' }, 'Not here', 'notFound'],
    [
      'Stripe, OpenAI',
      { error: { message: 'No such customer', type: 'invalid_request_error', code: 'resource_missing' } },
      'No such customer',
      'resource_missing',
    ],
    [
      'GitHub',
      {
        message: 'Validation Failed',
        errors: [{ resource: 'Issue', field: 'title', code: 'missing_field' }],
      },
      'Validation Failed: title missing_field',
      'missing_field',
    ],
    [
      'Google',
      { error: { code: 404, message: 'Not found.', status: 'NOT_FOUND' } },
      'Not found.',
      'NOT_FOUND',
    ],
    [
      'OAuth',
      { error: 'invalid_grant', error_description: 'Token expired' },
      'Token expired',
      'invalid_grant',
    ],
    ['a word', { error: 'not_authed', ok: false }, 'not_authed', 'not_authed'],
    ['Django', { detail: 'Not here.' }, 'Not here.', 'notFound'],
    [
      'FastAPI',
      { detail: [{ loc: ['body', 'a'], msg: 'field required', type: 'missing' }] },
      'field required',
      'notFound',
    ],
    [
      'Rails',
      { errors: { title: ["can't be blank"], body: ['is short', 'is dull'] } },
      "title can't be blank; body is short, is dull",
      'notFound',
    ],
    [
      'JSON:API',
      { errors: [{ status: '404', code: 'gone_fishing', title: 'Gone', detail: 'Gone fishing' }] },
      'Gone fishing',
      'gone_fishing',
    ],
    ['GraphQL', { errors: [{ message: 'one' }, { message: 'two' }] }, 'one; two', 'notFound'],
    [
      'Twilio',
      { code: 20404, message: 'The requested resource was not found', status: 404 },
      'The requested resource was not found',
      '20404',
    ],
    ['AWS', { Message: 'User is not authorized', __type: 'x' }, 'User is not authorized', 'notFound'],
    [
      'Kubernetes',
      { kind: 'Status', status: 'Failure', message: 'pods "a" not found', reason: 'NotFound', code: 404 },
      'pods "a" not found',
      'NotFound',
    ],
    ['Apigee', { fault: { faultstring: 'Bad key', detail: { errorcode: 'x' } } }, 'Bad key', 'notFound'],
    ['a list', ['one', 'two'], 'one; two', 'notFound'],
    ['a string', 'just words', 'just words', 'notFound'],
  ])('starts with the message of %s', async (_, body, message, code) => {
    const outcome = await read({ status: 404, type: 'application/json', body: JSON.stringify(body) });
    expect(outcome).toEqual({
      type: 'error',
      message: `${message} (HTTP 404 Not Found)`,
      details: { status: 404, code, message, body },
    });
  });

  test.each<[string, Answer, string, Record<string, unknown>]>([
    [
      'without a body',
      { status: 500 },
      'api.example responded with HTTP 500 Internal Server Error',
      { code: 'serverError', message: 'HTTP 500 Internal Server Error', body: null },
    ],
    ['with an unknown status', { status: 499 }, 'api.example responded with HTTP 499', { code: 'refused' }],
    [
      'in plain text',
      { status: 403, type: 'text/plain', body: 'go away' },
      'go away (HTTP 403 Forbidden)',
      { body: 'go away' },
    ],
    [
      'in a page',
      {
        status: 502,
        type: 'text/html',
        body: '<!DOCTYPE html><title>Bad\n gateway</title><style>x{}</style><h1>Oh</h1> no',
      },
      'Bad gateway (HTTP 502 Bad Gateway)',
      { code: 'badGateway', body: 'Bad gateway Oh no' },
    ],
    [
      'in XML',
      {
        status: 403,
        type: 'application/xml',
        body: '<?xml version="1.0"?><Error><Code>X</Code><Message>No access</Message></Error>',
      },
      'No access (HTTP 403 Forbidden)',
      { code: 'forbidden' },
    ],
    [
      'of a redirect that was not followed',
      { status: 302, headers: { location: 'https://other.example/' } },
      'api.example redirects this call to https://other.example/ (HTTP 302 Found). Executor sent nothing there, because the call was checked for another address. Set a base URL that does not redirect.',
      { code: 'redirected', location: 'https://other.example/' },
    ],
    [
      'without credentials',
      { status: 401, type: 'application/json', body: '{"message":"Requires authentication"}' },
      'Requires authentication (HTTP 401 Unauthorized). No credentials were sent, because the source has none for this call. Add credentials to the source.',
      { code: 'unauthorized' },
    ],
  ])('%s', async (_, answer, message, details) => {
    const outcome = await read(answer);
    expect(outcome).toMatchObject({ type: 'error', message, details: { status: answer.status, ...details } });
  });

  test('has the time of the next attempt and the rate limit', async () => {
    const headers = {
      'retry-after': '7',
      'x-ratelimit-limit': '60',
      'x-ratelimit-remaining': '0',
      'x-ratelimit-reset': '1767229200',
    };
    expect(await read({ status: 429, headers })).toMatchObject({
      details: {
        code: 'rateLimited',
        retryAfterMs: 7000,
        rateLimit: { limit: 60, remaining: 0, resetAt: '2026-01-01T01:00:00.000Z' },
      },
    });
    expect(
      await read({ status: 503, headers: { 'retry-after': 'Thu, 01 Jan 2026 00:01:00 GMT' } }),
    ).toMatchObject({
      details: { code: 'unavailable', retryAfterMs: 60_000 },
    });
  });

  test('of any size is cut quickly', async () => {
    const long = await read({
      status: 400,
      type: 'application/json',
      body: JSON.stringify({ message: 'x'.repeat(100_000) }),
    });
    expect(JSON.stringify(long).length).toBeLessThan(40_000);
    const endlessPage = await read({
      status: 400,
      type: 'text/html',
      body: endless('<html><title><script>'.repeat(50)),
    });
    expect(JSON.stringify(endlessPage).length).toBeLessThan(10_000);
    let deep: unknown = 'x';
    for (let depth = 0; depth < 1000; depth++) deep = { error: deep };
    expect(await read({ status: 400, type: 'application/json', body: JSON.stringify(deep) })).toMatchObject({
      message: 'api.example responded with HTTP 400 Bad Request',
    });
  });

  test('ignores inherited names such as constructor', async () => {
    const body = '{"__proto__":{"message":"x"},"constructor":{"message":"y"}}';
    expect(await read({ status: 400, type: 'application/json', body })).toMatchObject({
      message: 'api.example responded with HTTP 400 Bad Request',
    });
  });
});

describe('the full response', () => {
  const full = (headers: Answer['headers'], input = {}, context = {}) =>
    value(
      { type: 'application/json', body: '[1]', headers: headers ?? {} },
      { input: { ...input, $response: 'full' }, ...context },
    );

  test('has status, useful headers, body, links and rate limit', async () => {
    const headers = {
      etag: '"e"',
      'x-request-id': 'r',
      'x-total-count': '7',
      'x-frame-options': 'deny',
      'content-security-policy': 'x',
      ratelimit: 'limit=100, remaining=50, reset=30',
    };
    expect(await full(headers)).toEqual({
      status: 200,
      headers: {
        'content-type': 'application/json',
        etag: '"e"',
        'x-request-id': 'r',
        'x-total-count': '7',
        ratelimit: headers.ratelimit,
      },
      body: [1],
      links: {},
      rateLimit: { limit: 100, remaining: 50, resetAt: '2026-01-01T00:00:30.000Z' },
    });
  });

  const links = async (link: string | string[], input = {}) =>
    ((await full({ link }, input)) as { links: Record<string, unknown> }).links;

  test('has the complete input of the next call in its links', async () => {
    const input = { q: 'a b', page: 1, tags: ['x', 'y'], other: true };
    // The next call drops parameters that the link does not have.
    const rest = { q: 'a b', page: 9, other: true, $response: 'full' };
    const link =
      '<https://api.example/repositories/7?q=a%20b&page=2&tags=x&tags=y>; rel="next", </v1/x?page=9&q=a+b>; title="a, <b>; rel=x"; rel="last end"';
    expect(await links(link, input)).toEqual({
      next: {
        url: 'https://api.example/repositories/7?q=a%20b&page=2&tags=x&tags=y',
        input: { ...input, page: 2, $response: 'full' },
      },
      last: { url: 'https://api.example/v1/x?page=9&q=a+b', input: rest },
      end: { url: 'https://api.example/v1/x?page=9&q=a+b', input: rest },
    });
  });

  test('has no input for a link that would repeat the same call', async () => {
    const requestUrl = 'https://api.example/v1/x?page=2&cursor=abc';
    const at = async (link: string, context = {}) =>
      ((await full({ link }, { page: 2 }, { requestUrl, ...context })) as { links: Record<string, unknown> })
        .links;
    expect(await at('<?page=2&cursor=abc>; rel=next')).toEqual({
      next: { url: 'https://api.example/v1/x/report.pdf?page=2&cursor=abc' },
    });
    expect(await at('<?cursor=abc>; rel=next')).toEqual({
      next: { url: 'https://api.example/v1/x/report.pdf?cursor=abc', input: { $response: 'full' } },
    });
  });

  test('supports relations that are URLs', async () => {
    const relation = 'https://rels.example/?of=page';
    expect(await links(`<?page=2>; rel = "next ${relation}"; title="a=b"`)).toMatchObject({
      next: { input: { page: 2 } },
      [relation]: { input: { page: 2 } },
    });
  });

  test('removes credentials that the server repeats in its links', async () => {
    const { links: found } = (await full(
      { link: '<?page=2&api_key=hidden>; rel=next' },
      { page: 1 },
      { secretNames: ['api_key'] },
    )) as { links: unknown };
    expect(found).toEqual({
      next: { url: 'https://api.example/v1/x/report.pdf?page=2', input: { page: 2, $response: 'full' } },
    });
  });

  test('parses at most 50 links', async () => {
    const many = await links(`${'<?page=2>,'.repeat(5_000)}<?page=3>; rel=next`);
    expect(Object.keys(many)).toEqual(['next']);
    expect(
      Object.keys(await links(Array.from({ length: 500 }, (_, at) => `<?page=${at}>; rel=r${at}`))),
    ).toHaveLength(50);
  });

  test('has only the URL of a link to another host or with an unknown parameter', async () => {
    expect(await links('<https://other.example/x?page=2>; rel=next')).toEqual({
      next: { url: 'https://other.example/x?page=2' },
    });
    expect(await links('<?cursor=abc>; rel=next')).toEqual({
      next: { url: 'https://api.example/v1/x/report.pdf?cursor=abc' },
    });
    expect(await links('<?flag=true>; rel=next')).toEqual({
      next: {
        url: 'https://api.example/v1/x/report.pdf?flag=true',
        input: { flag: true, $response: 'full' },
      },
    });
  });

  test.each([
    '',
    '<',
    '<>;;;',
    'rel=next',
    '<a',
    '"<x>; rel=next',
    `<x>${' ;a'.repeat(5000)}`,
    `<x>;rel=${' '.repeat(60_000)}!`,
  ])('survives a link header such as %.20j', async (link) => {
    expect(Object.keys(await links(link)).filter((relation) => relation !== '!')).toEqual([]);
  });

  test.each([
    [
      'x-rate-limit',
      { 'x-rate-limit-limit': '5', 'x-rate-limit-remaining': '4', 'x-rate-limit-reset': '10' },
      { limit: 5, remaining: 4, resetAt: '2026-01-01T00:00:10.000Z' },
    ],
    [
      'the newest draft',
      { ratelimit: '"default";r=50;t=30' },
      { remaining: 50, resetAt: '2026-01-01T00:00:30.000Z' },
    ],
    [
      'OpenAI',
      {
        'x-ratelimit-limit-requests': '60',
        'x-ratelimit-remaining-requests': '59',
        'x-ratelimit-reset-requests': '6m0s',
      },
      { limit: 60, remaining: 59, resetAt: '2026-01-01T00:06:00.000Z' },
    ],
    [
      'milliseconds',
      { 'x-ratelimit-remaining': '1', 'x-ratelimit-reset': '1767225600000' },
      { remaining: 1, resetAt: '2026-01-01T00:00:00.000Z' },
    ],
    ['nonsense', { 'x-ratelimit-limit': 'many', 'x-ratelimit-reset': 'soon' }, undefined],
  ])('has the rate limit of %s', async (_, headers, rateLimit) => {
    expect(((await full(headers)) as { rateLimit?: unknown }).rateLimit).toEqual(rateLimit);
  });
});

test('a write with status 303 succeeded', async () => {
  const answer = { status: 303, headers: { location: '/things/1' } };
  expect(await value(answer, { plan: { ...plan, method: 'post' } })).toEqual({
    status: 303,
    location: '/things/1',
  });
});

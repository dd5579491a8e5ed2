import { presenceHeader } from '@executor/protocol';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import {
  acceptHeader,
  connectMcp,
  createDialogKey,
  createKey,
  read,
  statelessRequest,
} from '../../../test/mcp-client.ts';
import { call, startTestServer, type TestServer } from '../../../test/server.ts';

let server: TestServer;
let trusted: { id: string; key: string };

beforeAll(async () => {
  server = await startTestServer();
  trusted = await createDialogKey(server);
});
afterAll(async () => server[Symbol.asyncDispose]());
beforeEach(() => {
  server.notes.notes.splice(0);
});

const person = (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) =>
  call(server, method, path, { token: server.localToken, headers, ...(body !== undefined && { body }) });
const interaction = async (id: string) => (await person('GET', `/v1/interactions/${id}`)).json;

const approve = { action: 'accept', content: { decision: 'approve once' } };
const add = (text: string) => `return tools.notes.add({ text: ${JSON.stringify(text)} })`;
const dialogs = { elicitation: { form: {}, url: {} } };

function raw(name: string, args: object, rest: object = {}, key = trusted.key) {
  const params = { name, arguments: args, ...rest };
  return statelessRequest(server, 'tools/call', params, { key, capabilities: dialogs });
}

/** Starts a run that waits for the answer of its dialog. */
async function asked(text: string, key = trusted.key) {
  const { result } = await raw('execute', { code: add(text) }, {}, key);
  expect(result).toMatchObject({ resultType: 'input_required', requestState: expect.any(String) });
  const [id = ''] = Object.keys(result.inputRequests);
  return {
    id,
    requestState: result.requestState as string,
    executionId: (await interaction(id)).executionId,
  };
}

const answer = (id: string, response: object = approve) => ({ inputResponses: { [id]: response } });

test('A forged state, or one of another key or call, is rejected', async () => {
  const { id, requestState, executionId } = await asked('mine');
  const other = await asked('other');
  const otherKey = (await createDialogKey(server)).key;
  const args = { code: add('mine') };
  const [body = '', signature = ''] = requestState.split('.');
  const open = JSON.parse(Buffer.from(body, 'base64url').toString());
  const changed = Buffer.from(JSON.stringify({ ...open, ownerId: 'x', expiresAt: 9e15 })).toString(
    'base64url',
  );
  const attempts = [
    {
      reason: 'forged',
      sent: raw('execute', args, { requestState: `${changed}.${signature}`, ...answer(id) }),
    },
    { reason: 'forged', sent: raw('execute', args, { requestState: `${body}.AAAA`, ...answer(id) }) },
    { reason: 'forged', sent: raw('execute', args, { requestState: '{}', ...answer(id) }) },
    { reason: 'otherKey', sent: raw('execute', args, { requestState, ...answer(id) }, otherKey) },
    { reason: 'otherKey', sent: raw('execute', args, { requestState, ...answer(id) }, server.localToken) },
    { reason: 'otherCall', sent: raw('execute', { code: add('more') }, { requestState, ...answer(id) }) },
    { reason: 'otherCall', sent: raw('resume', { executionId }, { requestState, ...answer(id) }) },
    { reason: 'otherCall', sent: raw('execute', args, { requestState: other.requestState, ...answer(id) }) },
  ];
  for (const { reason, sent } of attempts) {
    expect((await sent).error).toMatchObject({
      code: -32_602,
      message: expect.stringContaining('No answer was submitted'),
      data: { reason },
    });
  }
  expect((await interaction(id)).status).toBe('pending');
  expect((await interaction(other.id)).status).toBe('pending');
  expect(server.notes.notes).toEqual([]);
});

test('An answer without a state, or to another question, has no effect', async () => {
  const { id, requestState, executionId } = await asked('named');
  const other = await asked('not named');
  await raw('resume', { executionId, waitMs: 0 }, answer(id));
  // It starts another run, which asks its own question.
  await raw('execute', { code: add('named') }, answer(id));
  const { result } = await raw('execute', { code: add('named') }, { requestState, ...answer(other.id) });
  expect(read(result).value.status).toBe('waiting');
  expect((await interaction(id)).status).toBe('pending');
  expect((await interaction(other.id)).status).toBe('pending');
  expect(server.notes.notes).toEqual([]);
});

test('A replayed answer has no effect', async () => {
  const code =
    'await tools.notes.add({ text: "twice" }); await tools.notes.add({ text: "twice" }); return "both"';
  const first = (await raw('execute', { code })).result;
  const [id = ''] = Object.keys(first.inputRequests);
  const sent = { requestState: first.requestState, ...answer(id) };
  const second = (await raw('execute', { code }, sent)).result;
  const [next = ''] = Object.keys(second.inputRequests);
  expect(next).not.toBe(id);
  for (const response of [approve, { action: 'decline' }]) {
    const replayed = (await raw('execute', { code }, { ...sent, ...answer(id, response) })).result;
    expect(Object.keys(replayed.inputRequests)).toEqual([next]);
  }
  const both = { inputResponses: { [id]: approve, [next]: approve } };
  await raw('execute', { code }, { requestState: first.requestState, ...both });
  // The answer is attributed to the key, not to the user of the key.
  expect((await interaction(id)).resolution).toMatchObject({ action: 'approve', dialogOf: trusted.id });
  const late = await person('POST', `/v1/interactions/${id}/resolve`, { action: 'deny' });
  expect(late.json.error.message).toContain(`A client’s dialog (${trusted.id}) approved it`);
  expect((await interaction(next)).status).toBe('pending');
  expect(server.notes.notes).toEqual(['twice']);
  const done = (await raw('execute', { code }, { requestState: second.requestState, ...answer(next) }))
    .result;
  expect(read(done).value).toBe('both');
  expect(server.notes.notes).toEqual(['twice', 'twice']);
});

test('Of two concurrent answers one counts, and the call is made once', async () => {
  const { id, requestState } = await asked('raced');
  const sent = { requestState, ...answer(id) };
  const answers = await Promise.all(
    Array.from({ length: 6 }, () => raw('execute', { code: add('raced') }, sent)),
  );
  for (const { result } of answers) {
    const { value, texts } = read(result);
    expect(value).toMatchObject({ text: 'raced' });
    // Both clients see their answer accepted.
    expect(texts).toHaveLength(1);
  }
  const other = (
    await raw('execute', { code: add('raced') }, { requestState, ...answer(id, { action: 'decline' }) })
  ).result;
  expect(read(other).texts.at(-1)).toMatch(
    /Executor rejected an answer from a dialog\. A person approved it at/,
  );
  expect(server.notes.notes).toEqual(['raced']);
  const { items } = (await person('GET', '/v1/audit?limit=50')).json;
  expect(items.filter((entry: { target: string }) => entry.target === id)).toHaveLength(1);
});

test('A state survives a restart of the server', async () => {
  const { id, requestState } = await asked('restarted');
  await server.restart();
  const otherKey = (await createDialogKey(server)).key;
  const args = { code: add('restarted') };
  const foreign = await raw('execute', args, { requestState, ...answer(id) }, otherKey);
  expect(foreign.error.data.reason).toBe('otherKey');
  const { result } = await raw('execute', args, { requestState, ...answer(id) });
  expect(read(result).value).toMatchObject({ text: 'restarted' });
});

test('A key with dialog permission can answer in dialogs only', async () => {
  const { id, executionId } = await asked('elsewhere');
  const own = (method: string, path: string, body?: unknown) =>
    call(server, method, path, { token: trusted.key, ...(body !== undefined && { body }) });
  const refusals = await Promise.all([
    own('GET', `/v1/interactions/${id}`),
    own('GET', '/v1/interactions'),
    own('POST', `/v1/interactions/${id}/resolve`, { action: 'approve' }),
    own('POST', '/v1/interactions/resolve', { action: 'approve', ids: [id] }),
    own('PATCH', `/v1/api-keys/${trusted.id}`, { allowDialog: true }),
    own('POST', '/v1/api-keys', { name: 'child', allowDialog: true }),
    own('POST', '/v1/policies', { pattern: '**', decision: 'allow' }),
  ]);
  expect(refusals.map(({ status }) => status)).toEqual(refusals.map(() => 403));
  const remember = { pattern: '**', decision: 'allow' };
  const { requestState } = (await raw('resume', { executionId })).result;
  const wish = { action: 'accept', content: { decision: 'approve', remember, scope: 'workspace' } };
  await raw('resume', { executionId }, { requestState, ...answer(id, wish) });
  expect((await person('GET', '/v1/policies')).json.items).toEqual([]);
  expect((await interaction(id)).status).toBe('pending');
});

test('answerInDialog accepts an answer only from the run’s own key, for the exact text shown', async () => {
  const { id, executionId } = await asked('door');
  const { interactions } = server.engine;
  const agent = (await call(server, 'GET', '/v1/me', { token: trusted.key })).json.principal;
  const [question] = await interactions.askInDialog(agent, executionId);
  const yes = { type: 'accepted', content: { decision: 'approve once' } } as const;
  const shown = { interactionId: id, executionId, hash: question?.hash ?? '' };
  const other = (await call(server, 'GET', '/v1/me', { token: await createKey(server) })).json.principal;
  const foreign = await asked('another run');
  const attempts = [
    interactions.answerInDialog({ ...agent, apiKeyId: undefined }, shown, yes),
    interactions.answerInDialog({ ...agent, workspaceId: 'ws_other' }, shown, yes),
    interactions.answerInDialog(other, shown, yes),
    interactions.answerInDialog(agent, { ...shown, hash: '' }, yes),
    interactions.answerInDialog(agent, { ...shown, hash: 'another' }, yes),
    interactions.answerInDialog(agent, { ...shown, executionId: foreign.executionId }, yes),
    interactions.answerInDialog(agent, { ...shown, interactionId: foreign.id }, yes),
  ];
  for (const attempt of await Promise.allSettled(attempts)) expect(attempt.status).toBe('rejected');
  expect((await interaction(id)).status).toBe('pending');
  await interactions.answerInDialog(agent, shown, yes);
  // Repeating the same answer is no error. A different answer is.
  await interactions.answerInDialog(agent, shown, yes);
  const no = { type: 'declined' } as const;
  await expect(interactions.answerInDialog(agent, shown, no)).rejects.toMatchObject({ code: 'conflict' });
  await expect(interactions.answerInDialog(other, shown, yes)).rejects.toMatchObject({ code: 'notFound' });
  await person('POST', `/v1/executions/${executionId}/wait`, { waitMs: 60_000 });
  expect(server.notes.notes).toEqual(['door']);
});

/** A request of the session era. */
function post(body: unknown, session: string, key = trusted.key) {
  return call(server, 'POST', '/mcp', {
    headers: {
      ...acceptHeader,
      authorization: `Bearer ${key}`,
      ...(session && { 'mcp-session-id': session }),
    },
    body,
  });
}

async function openSession(elicitation: object = { form: {} }): Promise<string> {
  const capabilities = { elicitation };
  const clientInfo = { name: 'raw', version: '1' };
  const params = { protocolVersion: '2025-11-25', capabilities, clientInfo };
  const { headers } = await post({ jsonrpc: '2.0', id: 0, method: 'initialize', params }, '');
  return headers.get('mcp-session-id') ?? '';
}

/** Makes a call of the session era and reads its first question. Repeats the call if its time is over before. */
async function askedOnStream(session: string, params: object, signal?: AbortSignal) {
  for (;;) {
    const { reader, text } = await readUntilAsked(session, params, signal);
    if (text.includes('elicitation/create'))
      return { reader, text, request: JSON.parse(/^data: (.*elicitation.*)$/m.exec(text)?.[1] ?? '') };
    if (!text.includes('exe_')) throw new Error(`Nothing was asked: ${text}`);
  }
}

async function readUntilAsked(session: string, params: object, signal?: AbortSignal) {
  const response = await fetch(`${server.url}/mcp`, {
    method: 'POST',
    headers: {
      ...acceptHeader,
      'content-type': 'application/json',
      authorization: `Bearer ${trusted.key}`,
      'mcp-session-id': session,
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
    ...(signal && { signal }),
  });
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  while (!text.includes('elicitation/create')) {
    const piece = await reader?.read();
    if (piece?.value === undefined) break;
    text += piece.value;
  }
  return { reader, text };
}

const reply = (id: unknown) => ({ jsonrpc: '2.0', id, result: approve });

test('After a broken stream the dialog is asked again, and either answer counts', async () => {
  const session = await openSession();
  for (const isOld of [true, false]) {
    const idempotencyKey = `broken-${isOld}`;
    const params = { name: 'execute', arguments: { code: add(idempotencyKey), idempotencyKey } };
    const broken = new AbortController();
    const first = await askedOnStream(session, params, broken.signal);
    broken.abort();
    // If the server has not noticed the broken stream yet, this call joins the old dialog and asks once it has.
    const again = await askedOnStream(session, params);
    expect(again.request.params.message).toBe(first.request.params.message);
    expect(again.request.id).not.toBe(first.request.id);
    await post(reply(isOld ? first.request.id : again.request.id), session);
    let { text } = again;
    for (let piece = await again.reader?.read(); piece?.value; piece = await again.reader?.read()) {
      text += piece.value;
    }
    expect(text).toContain(`\\"text\\":\\"${idempotencyKey}\\"`);
    expect(text.includes('notifications/cancelled')).toBe(isOld);
  }
  expect(server.notes.notes).toEqual(['broken-true', 'broken-false']);
});

test('In the session era, a foreign or repeated answer has no effect', async () => {
  const [session, other] = [await openSession(), await openSession()];
  const args = { code: add('session'), waitMs: 1_500, idempotencyKey: 'session' };
  const { reader, request, text: first } = await askedOnStream(session, { name: 'execute', arguments: args });
  let text = first;
  const otherKey = (await createDialogKey(server)).key;
  for (const [id, from, key] of [
    [request.id, other, trusted.key],
    [request.id, '', trusted.key],
    [request.id, session, otherKey],
    [request.id, session, server.localToken],
    [0, session, trusted.key],
    [1, session, trusted.key],
    ['', session, trusted.key],
  ] as const) {
    await post(reply(id), from, key);
  }
  expect(server.notes.notes).toEqual([]);
  // The call has ended, but its dialog is still open.
  for (let end = false; !end; ) {
    const piece = await reader?.read();
    text += piece?.value ?? '';
    end = piece?.done ?? true;
  }
  expect(text).toContain('can answer in the open dialog');
  await Promise.all(Array.from({ length: 4 }, () => post(reply(request.id), session)));
  const client = await connectMcp(server, trusted.key);
  const executionId = /exe_\w+/.exec(text)?.[0];
  const done = read(await client.callTool({ name: 'resume', arguments: { executionId } }));
  expect(done.value).toMatchObject({ text: 'session' });
  expect(server.notes.notes).toEqual(['session']);
  await client.close();
});

test('A question on the page is not answered by its dialog', async () => {
  server.notes.instead.set('notes.ask', async ({ ask }) => {
    const request = { type: 'object', properties: { password: { type: 'string' } } };
    return { type: 'value', value: await ask({ kind: 'elicitation', prompt: 'Who?', request }) };
  });
  const session = await openSession({ form: {}, url: {} });
  const args = { code: 'return tools.notes.ask({})', waitMs: 60_000 };
  const { reader, request } = await askedOnStream(session, { name: 'execute', arguments: args });
  server.notes.instead.delete('notes.ask');
  expect(request.params).toMatchObject({ mode: 'url', elicitationId: request.id });
  const id = request.params.url.split('/').at(-1);
  const submitted = { action: 'accept', content: { decision: 'approve once', password: 'p' } };
  for (const elicitationId of [request.id, id]) {
    const method = 'notifications/elicitation/complete';
    await post({ jsonrpc: '2.0', method, params: { elicitationId, ...submitted } }, session);
    await post({ jsonrpc: '2.0', id: elicitationId, result: submitted }, session);
  }
  expect(await interaction(id)).toMatchObject({ status: 'pending' });
  await person('POST', `/v1/interactions/${id}/resolve`, {
    action: 'submit',
    data: { password: 'on a page' },
  });
  let text = '';
  for (let piece = await reader?.read(); piece?.value; piece = await reader?.read()) text += piece.value;
  expect(text).toContain('on a page');
});

test('With a PIN required, dialogs accept no answers', async () => {
  const { id, requestState } = await asked('guarded');
  await person('PATCH', '/v1/presence', { mode: 'pin', pin: '4711' });
  const late = (await raw('execute', { code: add('guarded') }, { requestState, ...answer(id) })).result;
  expect(read(late).value.status).toBe('waiting');
  const { result } = await raw('execute', { code: add('guarded too') });
  expect(read(result).value.status).toBe('waiting');
  // A form refers to the page, too.
  const form = (await raw('execute', { code: 'return tools.notes.ask({})' })).result;
  expect(Object.values(form.inputRequests)).toMatchObject([{ params: { mode: 'url' } }]);
  expect((await interaction(id)).status).toBe('pending');
  await person('PATCH', '/v1/presence', { mode: 'off' }, { [presenceHeader]: '4711' });
  expect(server.notes.notes).toEqual([]);
});

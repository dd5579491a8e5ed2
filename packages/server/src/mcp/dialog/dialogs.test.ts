import { setTimeout as sleep } from 'node:timers/promises';
import type { Client, ElicitResult } from '@modelcontextprotocol/client';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import {
  approveAll,
  approveOnce,
  connectMcp,
  createDialogKey,
  createKey,
  eras,
  execute,
  resume,
  type Shown,
} from '../../../test/mcp-client.ts';
import { call, startTestServer, type TestServer } from '../../../test/server.ts';

let server: TestServer;
let trusted: { id: string; key: string };
const clients: Client[] = [];

beforeAll(async () => {
  server = await startTestServer();
  trusted = await createDialogKey(server);
});
afterAll(async () => server[Symbol.asyncDispose]());
beforeEach(() => {
  server.notes.notes.splice(0);
});
afterEach(async () => {
  for (const client of clients.splice(0)) await client.close();
});

type User = (shown: Shown) => ElicitResult | Promise<ElicitResult>;

/** A client with dialogs, the actions of its user, and the dialogs that it showed. */
async function connect(user: User, rest: Parameters<typeof connectMcp>[2] & { key?: string } = {}) {
  const shown: Shown[] = [];
  const client = await connectMcp(server, rest.key ?? trusted.key, {
    ...rest,
    user: (dialog) => {
      shown.push(dialog);
      return user(dialog);
    },
  });
  clients.push(client);
  return { client, shown };
}

const add = (text: string) => `return tools.notes.add({ text: ${JSON.stringify(text)} })`;

const person = (method: string, path: string, body?: unknown) =>
  call(server, method, path, { token: server.localToken, ...(body !== undefined && { body }) });
const interactionsOf = async (executionId: string) =>
  (await person('GET', `/v1/interactions?executionId=${executionId}`)).json.items;

async function until(isRight: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await isRight())) await sleep(20);
}

/** Counts the queries for open questions during a time. On a busy machine the time is longer, and more queries are allowed. */
async function readsWithin(ms: number): Promise<number> {
  const reads = vi.spyOn(server.engine.store.interactions, 'pendingOf');
  const began = performance.now();
  await sleep(ms);
  const count = reads.mock.calls.length;
  reads.mockRestore();
  return (count * ms) / Math.max(ms, performance.now() - began);
}

/** A user who waits at the dialog until the test decides the answer. */
function thinking() {
  let answer: (result: ElicitResult) => void = () => {};
  const decided = new Promise<ElicitResult>((resolve) => {
    answer = resolve;
  });
  return { user: () => decided, answer };
}

test('A stopping server withdraws session dialogs, and the next server asks again', async () => {
  const { user } = thinking();
  const { client, shown } = await connect(user, { era: 'legacy' });
  const stopped = execute(client, add('asked twice'));
  await until(() => shown.length === 1);
  await server.restart();
  const { value } = await stopped;
  expect(value).toMatchObject({ status: 'waiting', next: expect.stringContaining('at the url') });
  await until(() => shown[0]?.signal.aborted === true);
  const again = await connect(() => approveOnce, { era: 'legacy' });
  expect((await resume(again.client, value.executionId)).value).toMatchObject({ text: 'asked twice' });
});

test('A dialog outlives its call, and the client’s next call joins it', async () => {
  const { user, answer } = thinking();
  const { client, shown } = await connect(user, { era: 'legacy' });
  let first = await execute(client, add('slowly'), { waitMs: 300 });
  while (!first.value.next.includes('in the open dialog'))
    first = await resume(client, first.value.executionId, { waitMs: 300 });
  expect(first.value.status).toBe('waiting');
  const resumed = resume(client, first.value.executionId);
  answer(approveOnce);
  expect((await resumed).value).toMatchObject({ text: 'slowly' });
  expect(shown).toHaveLength(1);
});

test('Waiting with more questions than dialogs does not poll the database', async () => {
  const { user, answer } = thinking();
  const { client, shown } = await connect(user, { era: 'legacy' });
  const code = `const adding = [1, 2, 3, 4, 5, 6, 7].map((n) => tools.notes.add({ text: "n" + n }));
    return (await Promise.allSettled(adding)).map(({ status }) => status)`;
  const answered = execute(client, code);
  await until(() => shown.length === 5);
  const [, first = ''] = /approvals\/(\S+)/.exec(shown[0]?.message ?? '') ?? [];
  const { executionId } = (await person('GET', `/v1/interactions/${first}`)).json;
  await until(async () => (await interactionsOf(executionId)).length === 7);
  expect(await readsWithin(1_000)).toBeLessThan(8);
  expect(shown).toHaveLength(5);
  // Each answered dialog makes room for another one.
  answer(approveOnce);
  expect((await answered).value).toEqual(Array(7).fill('fulfilled'));
  expect(shown).toHaveLength(7);
});

test('A question for the page beside a dialog does not poll, and its answer continues the run', async () => {
  const { user, answer } = thinking();
  const { client, shown } = await connect(user, { era: 'legacy' });
  const code = `const both = [tools.notes.add({ text: "x".repeat(5000) }), tools.notes.add({ text: "short" })];
    return (await Promise.all(both)).length`;
  const answered = execute(client, code);
  await until(() => shown.length === 1);
  expect(await readsWithin(500)).toBeLessThan(8);
  const [, id = ''] = /approvals\/(\S+)/.exec(shown[0]?.message ?? '') ?? [];
  const { executionId } = (await person('GET', `/v1/interactions/${id}`)).json;
  answer(approveOnce);
  await until(async () => (await person('GET', `/v1/interactions/${id}`)).json.status === 'resolved');
  await approveAll(server, executionId);
  expect((await answered).value).toBe(2);
});

for (const era of eras) {
  describe(era === 'legacy' ? 'in the session era' : 'in the protocol of 2026-07-28', () => {
    test('an approval in the dialog continues the run', async () => {
      const { client, shown } = await connect(() => approveOnce, { era });
      const { value } = await execute(client, add('from a dialog'));
      expect(value).toMatchObject({ text: 'from a dialog' });
      expect(shown).toHaveLength(1);
      expect(shown[0]?.message).toMatch(
        /^Allow notes\.add \(write\)\?\nTool: notes\.add \(write\)\nThis will be sent:\n\n {4}\{/,
      );
      expect(shown[0]?.message).toContain('"text": "from a dialog"');
      expect(shown[0]?.message).toContain(`${server.url}/approvals/`);
      expect(shown[0]?.requestedSchema?.properties.decision?.enum).toEqual([
        'deny',
        'approve once',
        'approve all identical calls of this run',
      ]);
      expect(JSON.stringify(shown[0]?.requestedSchema)).not.toContain('default');
      const { items } = (await person('GET', '/v1/audit?limit=1')).json;
      expect(items[0]).toMatchObject({
        action: 'interaction.resolved',
        credential: 'apiKey',
        credentialId: trusted.id,
        details: { action: 'approve', scope: 'once', path: 'notes.add', through: 'dialog' },
      });
    });

    test('one answer can approve all identical calls', async () => {
      const { client, shown } = await connect(
        () => ({ action: 'accept', content: { decision: 'approve all identical calls of this run' } }),
        { era },
      );
      const code = 'for (let n = 0; n < 4; n++) await tools.notes.put({ text: "same" }); return "done"';
      expect((await execute(client, code)).value).toBe('done');
      expect(shown).toHaveLength(1);
    });

    test('otherwise each call asks, and a denial reaches the code with its reason', async () => {
      const answers: ElicitResult[] = [
        approveOnce,
        { action: 'accept', content: { decision: 'deny', reason: 'one is enough' } },
        { action: 'decline' },
      ];
      const { client, shown } = await connect(() => answers[shown.length - 1] ?? { action: 'cancel' }, {
        era,
      });
      const code = `const outcomes = [];
        for (let n = 0; n < 3; n++) await tools.notes.add({ text: "again" }).then(() => outcomes.push("ok"), (e) => outcomes.push(e.message));
        return outcomes`;
      expect((await execute(client, code)).value).toEqual([
        'ok',
        'A person denied notes.add: one is enough. Do not try the same again.',
        'A person denied notes.add. Do not try the same again.',
      ]);
      expect(server.notes.notes).toEqual(['again']);
    });

    test('a dialog that is closed, or accepted without a decision, approves nothing', async () => {
      const careless: ElicitResult[] = [
        { action: 'cancel' },
        { action: 'accept', content: {} },
        { action: 'accept' },
        { action: 'accept', content: { decision: 'approve' } },
        { action: 'accept', content: { decision: 'toString' } },
        { action: 'accept', content: { decision: true, approve: true } as never },
      ];
      for (const answer of careless) {
        const { client, shown } = await connect(() => answer, { era });
        const { value, texts } = await execute(client, add('careless'));
        expect(value).toMatchObject({ status: 'waiting', interactions: [{ kind: 'approval' }] });
        expect(value.next).toContain('at the url');
        expect(shown).toHaveLength(1);
        expect(texts.length).toBe(answer.action === 'cancel' ? 1 : 2);
        if (answer.action !== 'cancel') expect(texts[1]).toContain('Nothing was decided');
      }
      expect(server.notes.notes).toEqual([]);
    });

    test('without permission no approval is asked in a dialog', async () => {
      for (const key of [await createKey(server), await createKey(server, 'person'), server.localToken]) {
        const { client, shown } = await connect(() => approveOnce, { era, key });
        const { value } = await execute(client, add('untrusted'));
        expect(value.status).toBe('waiting');
        expect((await resume(client, value.executionId, { waitMs: 100 })).value.status).toBe('waiting');
        expect(shown).toEqual([]);
      }
      expect(server.notes.notes).toEqual([]);
    });

    test('a client without form dialogs gets the URL', async () => {
      const { client, shown } = await connect(() => approveOnce, { era, dialogs: { url: {} } });
      expect((await execute(client, add('by page'))).value.status).toBe('waiting');
      expect(shown).toEqual([]);
      const plain = await connectMcp(server, trusted.key, { era });
      clients.push(plain);
      expect((await execute(plain, add('by page'))).value.status).toBe('waiting');
    });

    test('a permission revoked while the dialog is open no longer counts', async () => {
      const own = await createDialogKey(server);
      const { user, answer } = thinking();
      const { client, shown } = await connect(user, { era, key: own.key });
      const answered = execute(client, add('withdrawn'));
      await until(() => shown.length === 1);
      await person('PATCH', `/v1/api-keys/${own.id}`, { allowDialog: false });
      answer(approveOnce);
      const { value, texts } = await answered;
      expect(value.status).toBe('waiting');
      expect(texts[1]).toContain('has not allowed that for this key');
      expect((await interactionsOf(value.executionId))[0].status).toBe('pending');
      expect(server.notes.notes).toEqual([]);
      await person('PATCH', `/v1/api-keys/${own.id}`, { allowDialog: true });
      const again = await connect(() => approveOnce, { era, key: own.key });
      expect((await resume(again.client, value.executionId)).value).toMatchObject({ text: 'withdrawn' });
    });

    test('an answer on the page wins over an open dialog', async () => {
      const { user, answer } = thinking();
      const { client, shown } = await connect(user, { era });
      const answered = execute(client, add(`page wins ${era}`));
      await until(() => shown.length === 1);
      const [, id = ''] = /approvals\/(\S+)/.exec(shown[0]?.message ?? '') ?? [];
      const denied = await person('POST', `/v1/interactions/${id}/resolve`, { action: 'deny', reason: 'no' });
      expect(denied.status).toBe(200);
      // In the session era the dialog is withdrawn. In the other the server cannot reach the client.
      if (era === 'legacy') await until(() => shown[0]?.signal.aborted === true);
      answer(approveOnce);
      const { value, texts, isError } = await answered;
      expect([isError, value.error.message]).toEqual([
        true,
        expect.stringContaining('A person denied notes.add: no'),
      ]);
      if (era === 'auto')
        expect(texts.at(-1)).toMatch(
          /Executor rejected an answer from a dialog\. A person denied it at .* changed nothing/,
        );
      await sleep(100);
      expect((await person('GET', `/v1/interactions/${id}`)).json.resolution.action).toBe('deny');
      expect(server.notes.notes).toEqual([]);
    });

    test('a client that dies with a dialog open leaves the run waiting, and the page can answer', async () => {
      const { user } = thinking();
      const { client, shown } = await connect(user, { era });
      execute(client, add('left behind')).catch(() => {});
      await until(() => shown.length === 1);
      await client.close();
      const [, id = ''] = /approvals\/(\S+)/.exec(shown[0]?.message ?? '') ?? [];
      const { executionId, status } = (await person('GET', `/v1/interactions/${id}`)).json;
      expect(status).toBe('pending');
      await approveAll(server, executionId);
      const { client: next } = await connect(user, { era });
      expect((await resume(next, executionId)).value).toMatchObject({ text: 'left behind' });
    });

    test('several questions are asked at once, and each gets its own answer', async () => {
      const { client, shown } = await connect(
        ({ message }) => (message.includes('"text": "b"') ? { action: 'decline' } : approveOnce),
        { era },
      );
      const code = `return (await Promise.allSettled(["a", "b", "c"].map((text) => tools.notes.add({ text })))).map(({ status }) => status)`;
      expect((await execute(client, code)).value).toEqual(['fulfilled', 'rejected', 'fulfilled']);
      expect(shown).toHaveLength(3);
      expect(server.notes.notes.toSorted()).toEqual(['a', 'c']);
    });

    test('two clients of one key at once are each asked about their own run', async () => {
      const texts = ['one', 'two'];
      const runs = await Promise.all(
        texts.map(async (text) => {
          const asked = await connect(async () => sleep(50, approveOnce), { era });
          const { value } = await execute(asked.client, add(text));
          return { value, messages: asked.shown.map(({ message }) => message) };
        }),
      );
      for (const [index, text] of texts.entries()) {
        expect(runs[index]?.value).toMatchObject({ text });
        expect(runs[index]?.messages).toEqual([expect.stringContaining(`"text": "${text}"`)]);
      }
    });

    test('a request too long for a dialog needs the page', async () => {
      const { client, shown } = await connect(() => approveOnce, { era });
      expect((await execute(client, add(`${'x'.repeat(5_000)} and something else`))).value.status).toBe(
        'waiting',
      );
      expect(shown).toEqual([]);
    });

    test('hostile text cannot disguise the request or start its own line', async () => {
      const { client, shown } = await connect(() => ({ action: 'decline' }), { era });
      await execute(client, add('a\n\nThis will be sent:\nnothing \u202Eevil\u202C \u001b[2J\u200b'));
      const lines = shown[0]?.message.split('\n') ?? [];
      expect(lines.filter((line) => line.startsWith('This will be sent:'))).toHaveLength(1);
      expect(shown[0]?.message).toContain('\\u{202e}evil');
      // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not be there
      expect(shown[0]?.message).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u200b\u202e]/);
    });

    test('a form is filled in by the user of any client, and its data is checked', async () => {
      const key = await createKey(server);
      const answers: ElicitResult[] = [{ action: 'accept', content: { text: 'typed' } }];
      const { client, shown } = await connect(() => answers[0] as ElicitResult, { era, key });
      expect((await execute(client, 'return tools.notes.ask({})')).value).toEqual({
        type: 'submitted',
        data: { text: 'typed' },
      });
      expect(shown[0]).toMatchObject({
        message: 'notes.ask asks: What should the note say?',
        requestedSchema: { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] },
      });
      answers[0] = { action: 'decline' };
      expect((await execute(client, 'return tools.notes.ask({})')).value).toEqual({ type: 'cancelled' });
      answers[0] = { action: 'accept', content: { text: 7 } };
      const wrong = await execute(client, 'return tools.notes.ask({})');
      expect(wrong.value.status).toBe('waiting');
      expect(wrong.texts[1]).toMatch(/rejected an answer.*text/s);
    });

    test('a question for a secret, or without a form, is answered on the page only', async () => {
      const questions = [
        {
          kind: 'credential',
          prompt: 'A key, please',
          request: { type: 'object', properties: { key: { type: 'string' } } },
        },
        { kind: 'oauth', prompt: 'Sign in', request: { url: 'https://login.example' } },
        {
          kind: 'elicitation',
          prompt: 'Who?',
          request: { type: 'object', properties: { password: { type: 'string' } } },
        },
        {
          kind: 'elicitation',
          prompt: 'What?',
          request: { type: 'object', properties: { deep: { type: 'object' } } },
        },
      ] as const;
      for (const question of questions) {
        server.notes.instead.set('notes.ask', async ({ ask }) => ({
          type: 'value',
          value: await ask(question),
        }));
        const { client: formsOnly, shown: none } = await connect(() => approveOnce, {
          era,
          dialogs: { form: {} },
        });
        const { value } = await execute(formsOnly, 'return tools.notes.ask({})');
        expect(value).toMatchObject({ status: 'waiting', interactions: [{ kind: question.kind }] });
        expect(none).toEqual([]);
        const { url } = value.interactions[0];
        const { client, shown } = await connect(
          () => {
            person('POST', `/v1/interactions/${url.split('/').at(-1)}/resolve`, { action: 'cancel' });
            return { action: 'accept', content: { key: 'k', password: 'p' } };
          },
          { era },
        );
        expect((await resume(client, value.executionId)).value).toEqual({ type: 'cancelled' });
        expect(shown.map((dialog) => [dialog.mode, dialog.url])).toEqual([['url', url]]);
      }
      server.notes.instead.delete('notes.ask');
    });
  });
}

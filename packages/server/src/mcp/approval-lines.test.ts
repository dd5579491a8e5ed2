import { afterAll, beforeAll, expect, test } from 'vitest';
import { approveAll, connectMcp, createKey, execute, resume } from '../../test/mcp-client.ts';
import { startTestServer, type TestServer } from '../../test/server.ts';

let server: TestServer;
let key: string;

beforeAll(async () => {
  server = await startTestServer();
  key = await createKey(server);
});
afterAll(async () => server[Symbol.asyncDispose]());

test('An approval shows the key inputs, and its own page', async () => {
  const client = await connectMcp(server, key);
  const text = `one\nSay yes. ${'x'.repeat(100)}`;
  const { value } = await execute(client, `return await tools.notes.add({ text: ${JSON.stringify(text)} })`);
  expect(value.interactions).toEqual([
    {
      kind: 'approval',
      prompt: expect.stringMatching(
        /^Allow notes\.add \(write\)\? text: "one\\nSay yes\. x{10,60}…, tag: "none"$/,
      ),
      url: expect.stringMatching(/\/approvals\/int_/),
    },
  ]);
  await client.close();
});

test('Independent writes ask together, in one line for each tool and with one URL', async () => {
  const client = await connectMcp(server, key);
  const code = `const added = Promise.all(Array.from({ length: 80 }, (_, n) => tools.notes.add({ text: 'note ' + n })));
    const [, put] = await Promise.all([added, tools.notes.put({ text: 'last' })]);
    return put`;
  const { value } = await execute(client, code);
  expect(value).toMatchObject({ status: 'waiting' });
  const url = expect.stringMatching(new RegExp(`/approvals#${value.executionId}$`));
  const first = ['note 0', 'note 1', 'note 2'].map((note) => `text: "${note}", tag: "none"`).join(' | ');
  expect(value.interactions).toEqual([
    { kind: 'approval', prompt: `80 x notes.add (write): ${first} | …`, url },
    { kind: 'approval', prompt: 'Allow notes.put (write)? text: "last", tag: "none"', url },
  ]);
  expect(value.moreInteractions).toBeUndefined();
  // Each page of the list has 50.
  for (let page = 0; page < 2; page++) await approveAll(server, value.executionId);
  expect((await resume(client, value.executionId)).value).toEqual({ text: 'last', tag: 'none' });
  expect(server.notes.count('notes.add')).toBe(80);
  await client.close();
});

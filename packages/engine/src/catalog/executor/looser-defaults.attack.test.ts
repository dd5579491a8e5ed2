import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { TestEngine } from '../../../test/test-engine.ts';

/* Code may connect a system with approval, but not decide that its writes need none. */

const url = 'https://api.acme.test/openapi.json';
let host: TestEngine;
beforeAll(async () => {
  host = await TestEngine.start();
  host.shelf.put(url, { title: 'Acme', tools: [{ name: 'list' }, { name: 'create', effect: 'write' }] });
});
afterAll(() => host.close());
afterEach(async () => {
  const { items } = await host.engine.sources.list(host.owner, { limit: 10 });
  for (const { id } of items) await host.engine.sources.remove(host.owner, id);
});

async function addFromCode(defaults: object) {
  const input = JSON.stringify({ url, namespace: 'acme', ...defaults });
  const run = await host.run(`return await tools.executor.sources.add(${input})`);
  const [question] = await host.asked(run.id);
  await host.engine.interactions.resolve(host.owner, question?.id ?? '', { action: 'approve' });
  const ended = await host.engine.executions.wait(host.owner, run.id, { waitMs: 30_000 });
  return { question, result: ended.result as { ignored?: string[] } };
}

const source = () => host.engine.sources.get(host.owner, 'acme');
const ignored = [expect.stringContaining('only a person can allow them')];

test.each([
  [{ defaultApproval: 'auto' }, { read: 'auto' }],
  [{ defaultWriteApproval: 'auto' }, {}],
  [{ defaultReadApproval: 'required', defaultWriteApproval: 'auto' }, { read: 'required' }],
  [{ approval: { write: 'auto' } }, {}],
])(
  'Looser defaults from code are ignored, and the reviewer and the code learn that: %j',
  async (asked, kept) => {
    const { question, result } = await addFromCode(asked);
    expect(question?.request).toMatchObject({ input: { ...asked, ignored } });
    expect(result).toMatchObject({ namespace: 'acme', ignored });
    expect((await source()).approval).toEqual(kept);
    const run = await host.run('await tools.acme.create({})');
    expect(run).toMatchObject({ status: 'waiting', interactions: [{ kind: 'approval' }] });
  },
);

test.each([
  [{ defaultApproval: 'required' }, { read: 'required', write: 'required' }],
  [{ defaultReadApproval: 'auto' }, { read: 'auto' }],
  [{}, {}],
])('Defaults that are not looser are kept: %j', async (asked, kept) => {
  const { question, result } = await addFromCode(asked);
  expect(question?.request).not.toHaveProperty('input.ignored');
  expect(result).not.toHaveProperty('ignored');
  expect((await source()).approval).toEqual(kept);
});

test('A person can set looser defaults', async () => {
  await host.engine.sources.add(host.owner, { url, namespace: 'acme', approval: { write: 'auto' } });
  expect((await source()).approval).toEqual({ write: 'auto' });
  expect(await host.run('await tools.acme.create({})')).toMatchObject({ status: 'completed' });
});

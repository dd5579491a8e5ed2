import type { SourceChange } from '@executor/protocol';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { TestEngine } from '../../../test/test-engine.ts';

let host: TestEngine;
beforeAll(async () => {
  host = await TestEngine.start();
});
afterAll(() => host.close());

const url = 'https://api.acme.test/openapi.json';
beforeEach(async () => {
  const { items } = await host.engine.sources.list(host.owner, { limit: 10 });
  for (const { id } of items) await host.engine.sources.remove(host.owner, id);
  host.shelf.received.length = 0;
  host.shelf.put(url, {
    title: 'Acme',
    baseUrl: 'https://api.acme.test',
    tools: [{ name: 'create', effect: 'write' }],
  });
  await host.engine.sources.add(host.owner, { url });
});

const edit = (tools: SourceChange['tools']) => host.engine.sources.update(host.owner, 'acme', { tools });
const asking = async () => {
  const run = await host.run('return tools.acme.create({})');
  const [asked] = await host.asked(run.id);
  return { run, id: asked?.id ?? '', remember: asked?.remember };
};

describe('An approval does not hold for a tool of which a user changed', () => {
  test.each([
    ['the effect', { effect: 'destructive' }],
    ['whether it may be repeated', { repeatable: false }],
  ] as const)('%s: Executor asks again and shows the change', async (_, change) => {
    const { run, id } = await asking();
    await edit({ 'acme.create': change });
    const { outcome } = await host.answer(id, { action: 'approve' });
    expect(outcome).toMatchObject({ status: 'askedAgain' });
    const [again] = await host.asked(run.id);
    expect(again?.id).not.toBe(id);
    expect(host.shelf.received).toEqual([]);
    if ('effect' in change) expect(again?.tool?.effect).toBe('destructive');
    await host.answer(again?.id ?? '', { action: 'approve' });
    expect(await host.wait(run.id)).toMatchObject({ status: 'completed' });
    expect(host.shelf.received).toHaveLength(1);
  });

  test('the effect, for other identical calls of the run', async () => {
    const call = 'await tools.acme.create({})';
    const run = await host.run(`${call}; ${call};`);
    host.shelf.answer = async () => {
      await edit({ 'acme.create': { effect: 'destructive' } });
      host.shelf.answer = () => ({ type: 'value', value: 1 });
      return { type: 'value', value: 1 };
    };
    const [asked] = await host.asked(run.id);
    await host.answer(asked?.id ?? '', { action: 'approve', scope: 'identical' });
    const [again] = await host.asked(run.id);
    expect(again?.tool?.effect).toBe('destructive');
    expect(host.shelf.received).toHaveLength(1);
    await host.engine.executions.cancel(host.owner, run.id);
  });
});

test('An answer that remembers a rule is refused if the effect has changed since the question', async () => {
  const { run, id, remember } = await asking();
  await edit({ 'acme.create': { effect: 'destructive' } });
  const answer = host.answer(id, { action: 'approve', ...(remember && { remember }) });
  await expect(answer).rejects.toMatchObject({
    code: 'conflict',
    message: expect.stringContaining('destructive'),
  });
  expect((await host.engine.policies.list(host.owner, { limit: 10 })).items).toEqual([]);
  await host.engine.executions.cancel(host.owner, run.id);
});

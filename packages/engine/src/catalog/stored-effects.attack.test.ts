import { afterAll, beforeAll, expect, test } from 'vitest';
import { TestEngine } from '../../test/test-engine.ts';

/* Tools that an older version has stored may have an effect that is too harmless. */

let host: TestEngine;
beforeAll(async () => {
  host = await TestEngine.start();
});
afterAll(() => host.close());

test('A stored read that turns out to be able to delete needs approval, unless a user has decided its effect', async () => {
  const url = 'https://api.acme.test/openapi.json';
  host.shelf.put(url, { title: 'Acme', tools: [{ name: 'list' }, { name: 'judged' }] });
  await host.engine.sources.add(host.owner, { url });
  expect(await host.run('await tools.acme.list({})')).toMatchObject({ status: 'completed' });
  host.shelf.worstEffect = () => ({ effect: 'destructive', repeatable: false });
  await host.engine.sources.update(host.owner, 'acme', {
    tools: { 'acme.judged': { effect: 'read', repeatable: true } },
  });
  const run = await host.run('await tools.acme.list({})');
  expect(run).toMatchObject({
    status: 'waiting',
    interactions: [{ kind: 'approval', prompt: 'Allow acme.list (destructive)?' }],
  });
  expect(await host.engine.descriptions.get(host.owner, 'acme.list')).toMatchObject({
    effect: 'destructive',
    approval: 'requireApproval',
  });
  expect(await host.run('await tools.acme.judged({})')).toMatchObject({ status: 'completed' });
});

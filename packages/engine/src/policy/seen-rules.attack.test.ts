import { afterAll, beforeAll, expect, test } from 'vitest';
import { TestEngine } from '../../test/test-engine.ts';

let host: TestEngine;

beforeAll(async () => {
  host = await TestEngine.start();
});

afterAll(() => host.close());

test('Code sees the rules for its own calls, and neither their conditions nor those of others', async () => {
  const { policies } = host.engine;
  const rule = { pattern: 'notes.add', conditions: [], decision: 'deny' as const, note: 'They leak' };
  const workspace = { type: 'workspace' } as const;
  const conditions = [{ field: 'text', equals: 'the secret project' }];
  const plain = await policies.create(host.owner, { ...rule, scope: workspace });
  const conditional = await policies.create(host.owner, { ...rule, scope: workspace, conditions });
  await policies.create(host.owner, { ...rule, scope: { type: 'client', clientId: 'cli_other' } });
  const { result } = await host.run('return await tools.executor.policies.list({})');
  const seen = { scope: workspace, pattern: 'notes.add', decision: 'deny' };
  expect(result).toEqual({
    items: expect.arrayContaining([
      { id: plain.id, ...seen },
      { id: conditional.id, ...seen, conditional: true },
    ]),
  });
  expect(JSON.stringify(result)).not.toMatch('leak|secret project|cli_other');
});

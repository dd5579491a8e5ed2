import type { NewPolicy, PolicyCondition } from '@executor/protocol';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { TestEngine } from '../../test/test-engine.ts';
import { conditionHolds } from './condition.ts';

/* Go and ASP.NET read the keys of JSON without case, so a rule about a field cannot be passed with another spelling of it. */

const url = 'https://api.acme.test/openapi.json';
const owner = { type: 'string' };
const inputSchema = {
  type: 'object',
  properties: { body: { type: 'object', properties: { owner, box: { type: 'object' } } } },
};

let host: TestEngine;
beforeAll(async () => {
  host = await TestEngine.start();
  host.shelf.put(url, { title: 'Acme', tools: [{ name: 'run', inputSchema }] });
  await host.engine.sources.add(host.owner, { url });
});
afterAll(() => host.close());
afterEach(async () => {
  await host.removePolicies();
  host.shelf.received.length = 0;
});

const rule = (decision: NewPolicy['decision'], ...conditions: PolicyCondition[]) =>
  host.engine.policies.create(host.owner, {
    scope: { type: 'workspace' },
    pattern: 'acme.**',
    conditions,
    decision,
  });
const call = (input: unknown) => host.run(`return await tools.acme.run(${JSON.stringify(input)})`);

const respelled: object[] = [
  { body: { owner: 'ada', Owner: 'eve' } },
  { body: { OWNER: 'eve' } },
  { body: { owner: 'ada', Owner: 'bob', OWNER: 'eve' } },
  { body: { owner: 'ada' }, Body: { owner: 'eve' } },
  { body: { owner: 'ada' }, BODY: { oWner: 'eve' } },
  { 'body.Owner': 'eve' },
];

test.each(respelled)('A denied value is denied in another spelling: %j', async (input) => {
  await rule('deny', { field: 'body.owner', equals: 'eve' });
  expect(await call(input)).toMatchObject({ error: { name: 'ToolDeniedError' } });
  expect(host.shelf.received).toEqual([]);
});

test.each(respelled)('An allowed value allows no other spelling: %j', async (input) => {
  await rule('requireApproval');
  await rule('allow', { field: 'body.owner', equals: 'ada' });
  expect(await call(input)).toMatchObject({ status: 'waiting' });
});

const exists = { field: 'body.owner', exists: true } as const;
const absent = { field: 'body.owner', exists: false } as const;

test('A field in another spelling may exist or not', () => {
  const input = { body: { Owner: 'eve' } };
  for (const condition of [exists, absent]) {
    expect(conditionHolds(condition, input, 'deny')).toBe(true);
    expect(conditionHolds(condition, input, 'allow')).toBe(false);
  }
});

test('An object in another spelling that lacks the field counts as a missing value', () => {
  const input = { body: { owner: 'ada' }, Body: {} };
  expect(conditionHolds(absent, input, 'deny')).toBe(true);
  expect(conditionHolds({ field: 'body.owner', equals: 'ada' }, input, 'allow')).toBe(false);
});

test('Letters that only case folding makes equal count too', () => {
  // The long s and the Kelvin sign.
  const input = { body: { 'ta\u017f\u212a': 'eve' } };
  expect(conditionHolds({ field: 'body.task', equals: 'eve' }, input, 'deny')).toBe(true);
});

test('Other keys, lists and inherited properties change nothing', async () => {
  await rule('requireApproval');
  await rule('allow', { field: 'body.owner', equals: 'ada' });
  const input = {
    body: { owner: 'ada', owners: 'eve', own: { er: 'eve' }, box: { items: [{ Owner: 'eve' }] } },
    BODY: null,
  };
  expect(await call(input)).toMatchObject({ status: 'completed' });
  expect(conditionHolds({ field: 'tostring', exists: true }, {}, 'deny')).toBe(false);
});

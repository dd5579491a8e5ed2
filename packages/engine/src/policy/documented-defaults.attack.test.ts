import type { NewPolicy, PolicyCondition } from '@executor/protocol';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { TestEngine } from '../../test/test-engine.ts';

/* A rule about a field cannot be passed by omitting the field, because the other system uses the documented default then. */

const one = { type: 'integer', default: 1 };
const object = (properties: object, more: object = {}) => ({ type: 'object', properties, ...more });
const schemas: Record<string, object> = {
  plain: object({ n: one, text: { type: 'string' } }),
  /** As the reader writes the field of an optional body. */
  optional: object({ n: { type: 'integer' }, text: { type: 'string' } }, { documentedDefaults: { n: 1 } }),
  reference: object({ n: { $ref: '#/$defs/N' } }, { $defs: { N: { allOf: [one] } } }),
  nullable: object(
    { n: { default: 1, anyOf: [{ $ref: '#/$defs/N' }, { type: 'null' }] } },
    { $defs: { N: { type: 'integer' } } },
  ),
  nested: object({ box: { anyOf: [object({ n: one }), { type: 'null' }] } }),
  parent: object({ box: { anyOf: [{ ...object({ n: { type: 'integer' } }), default: { n: 1 } }] } }),
  absentParent: object({ box: object({ n: one }) }),
  conditional: object(
    { kind: { type: 'string' } },
    // biome-ignore lint/suspicious/noThenProperty: it is a keyword of JSON Schema
    { if: { properties: { kind: { const: 'a' } }, required: ['kind'] }, then: { properties: { n: one } } },
  ),
  map: object({ labels: { type: 'object', additionalProperties: object({ n: one }) } }),
  branches: object({
    box: { anyOf: [object({ n: one }), object({ n: { type: 'integer', default: 2 } })] },
  }),
  invalid: object({ n: { type: 'integer', enum: [3, 4], default: 1 } }),
  choice: object({ n: { anyOf: [one] } }),
  unsendable: object(
    { n: { anyOf: [one] }, name: { type: 'string' } },
    { dependentRequired: { n: ['name'] } },
  ),
  none: object({ n: { type: 'string', default: null }, text: { type: 'string' } }),
  list: object({ n: { type: 'array', items: { type: 'integer' }, default: [1] } }),
  anything: object({ n: { default: 1 } }),
  emptyBox: object({ box: { anyOf: [object({ n: one }), { type: 'null' }], default: {} } }),
  whole: object({ box: { ...object({ n: { type: ['integer', 'null'] } }), default: { n: 1 } } }),
  /** The other system does not receive `kind`, so it applies the other branch. */
  unsentKind: object(
    { kind: { type: ['string', 'null'] } },
    // biome-ignore lint/suspicious/noThenProperty: it is a keyword of JSON Schema
    { if: { required: ['kind'] }, then: {}, else: { properties: { n: one } } },
  ),
  deep: object(
    { box: { $ref: '#/$defs/Box' } },
    { $defs: { Box: object({ b: { $ref: '#/$defs/Box' }, n: one }) } },
  ),
  padded: object({
    labels: { type: 'object', additionalProperties: object({ x: { type: 'integer', default: 0 } }) },
    box: { anyOf: [object({ n: one })] },
  }),
  /** No default is certain. */
  crowded: object({
    labels: {
      type: 'object',
      additionalProperties: { anyOf: [object({ n: one }), object({ n: { type: 'integer', default: 2 } })] },
    },
  }),
  filled: object({
    labels: { type: 'object', additionalProperties: object({ n: { anyOf: [one] } }) },
  }),
};
const manyLabels = Object.fromEntries(Array.from({ length: 300 }, (_, index) => [`label${index}`, {}]));
const levels = Array.from({ length: 25 }, () => 'b');
const deepBox = levels.reduce<object>((b) => ({ b }), {});
const deepField = ['box', ...levels, 'n'].join('.');

let host: TestEngine;
beforeAll(async () => {
  host = await TestEngine.start();
  const url = 'https://api.acme.test/openapi.json';
  const tools = Object.entries(schemas).map(([name, inputSchema]) => ({
    name,
    inputSchema: inputSchema as Record<string, unknown>,
  }));
  host.shelf.put(url, { title: 'Acme', tools });
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
const call = (name: string, input: unknown) =>
  host.run(`return await tools.acme.${name}(${JSON.stringify(input)})`);
const sent = () => host.shelf.received.map(({ input }) => input);

const omissions: [name: string, input: unknown, field: string][] = [
  ['plain', {}, 'n'],
  ['optional', {}, 'n'],
  ['optional', { text: 'x' }, 'n'],
  ['choice', {}, 'n'],
  ['reference', {}, 'n'],
  ['nullable', {}, 'n'],
  ['nested', { box: {} }, 'box.n'],
  ['parent', {}, 'box.n'],
  ['absentParent', {}, 'box.n'],
  ['conditional', { kind: 'a' }, 'n'],
  ['map', { labels: { a: {} } }, 'labels.a.n'],
  ['branches', { box: {} }, 'box.n'],
  ['invalid', {}, 'n'],
  ['unsendable', {}, 'n'],
  // Parameters that are null or empty are not sent.
  ['nullable', { n: null }, 'n'],
  ['nested', { box: null }, 'box.n'],
  ['emptyBox', { box: null }, 'box.n'],
  ['emptyBox', {}, 'box.n'],
  ['whole', { box: {} }, 'box.n'],
  ['whole', { box: { n: null } }, 'box.n'],
  ['anything', { n: [] }, 'n'],
  ['anything', { n: {} }, 'n'],
  ['anything', { n: [null] }, 'n'],
  ['unsentKind', { kind: null }, 'n'],
  // Other defaults cannot crowd out the one that a rule looks at.
  ['padded', { labels: manyLabels }, 'box.n'],
  ['padded', { labels: manyLabels, box: {} }, 'box.n'],
];

/** With a title that stays short for a large input. */
const cases = omissions.map((one) => [`${one[0]} ${JSON.stringify(one[1]).slice(0, 50)}`, ...one] as const);

test.each(cases)('Omitting a field is denied like its default: %s', async (_, name, input, field) => {
  await rule('deny', { field, equals: 1 });
  expect(await call(name, input)).toMatchObject({ status: 'failed', error: { name: 'ToolDeniedError' } });
  expect(sent()).toEqual([]);
});

test.each(cases)('Omitting a field is asked about like its default: %s', async (_, name, input, field) => {
  await rule('requireApproval', { field, oneOf: [1] });
  expect(await call(name, input)).toMatchObject({ status: 'waiting' });
  expect(sent()).toEqual([]);
});

test.each([
  ['optional', {}, 'n', { n: 1 }],
  ['nested', { box: {} }, 'box.n', { box: { n: 1 } }],
  ['parent', {}, 'box.n', { box: { n: 1 } }],
  ['conditional', { kind: 'a' }, 'n', { kind: 'a', n: 1 }],
  ['map', { labels: { a: {} } }, 'labels.a.n', { labels: { a: { n: 1 } } }],
])('A call that a rule allows with a default sends the default: %s %j', async (name, input, field, whole) => {
  await rule('requireApproval');
  await rule('allow', { field, lessThan: 2 });
  expect(await call(name, input)).toMatchObject({ status: 'completed' });
  expect(sent()).toEqual([whole]);
});

test.each([
  ['absentParent', {}, 'box.n'],
  ['branches', { box: {} }, 'box.n'],
  ['invalid', {}, 'n'],
  ['unsendable', {}, 'n'],
])('A default that cannot be sent for sure allows nothing: %s %j', async (name, input, field) => {
  await rule('requireApproval');
  await rule('allow', { field, lessThan: 2 });
  expect(await call(name, input)).toMatchObject({ status: 'waiting' });
});

test('A default does not make a field present', async () => {
  await rule('requireApproval', { field: 'n', greaterThan: 5 });
  await rule('deny', { field: 'n', exists: false });
  expect(await call('optional', {})).toMatchObject({ error: { name: 'ToolDeniedError' } });
});

test('An empty list is denied like the default list', async () => {
  await rule('deny', { field: 'n', contains: 1 });
  expect(await call('list', { n: [] })).toMatchObject({ error: { name: 'ToolDeniedError' } });
  expect(sent()).toEqual([]);
});

test('A null or empty value allows nothing that its default does not', async () => {
  await rule('requireApproval');
  const allow = await rule('allow', { field: 'n', notEquals: 1 });
  expect(await call('anything', { n: {} })).toMatchObject({ status: 'waiting' });
  await host.engine.policies.update(host.owner, allow.id, { conditions: [{ field: 'n', equals: null }] });
  expect(await call('nullable', { n: null })).toMatchObject({ status: 'waiting' });
});

test('A null or empty value that a rule allows is sent as it is', async () => {
  await rule('requireApproval', { field: 'n', equals: 5 });
  expect(await call('nullable', { n: null })).toMatchObject({ status: 'completed' });
  expect(await call('list', { n: [] })).toMatchObject({ status: 'completed' });
  expect(sent()).toEqual([{ n: null }, { n: [] }]);
});

test('Defaults that cannot all be weighed reject the call', async () => {
  await rule('deny', { field: 'labels', equals: {} });
  const { error } = await call('crowded', { labels: manyLabels });
  expect(error?.message).toContain('the defaults of this input take too long to find');
  expect(sent()).toEqual([]);
});

test('Many defaults that can be sent are all sent', async () => {
  await rule('deny', { field: 'labels', equals: {} });
  expect(await call('filled', { labels: manyLabels })).toMatchObject({ status: 'completed' });
  const labels = Object.keys(manyLabels).map((label) => [label, { n: 1 }]);
  expect(sent()).toEqual([{ labels: Object.fromEntries(labels) }]);
});

test('A deep default is found, or the call is rejected', async () => {
  await rule('deny', { field: deepField, equals: 1 });
  const { error } = await call('deep', { box: deepBox });
  expect(error?.name).toMatch(/^Tool/);
  expect(sent()).toEqual([]);
});

test('A default null of a field that cannot be null is none', async () => {
  await rule('deny', { field: 'n', equals: null });
  expect(await call('none', {})).toMatchObject({ status: 'completed' });
  expect(sent()).toEqual([{}]);
});

test('No other default is sent, and reviewers see which ones are not', async () => {
  await rule('requireApproval', { field: 'text', equals: 'x' });
  const run = await call('optional', { text: 'x' });
  const [question] = await host.asked(run.id);
  expect(question).toMatchObject({
    tool: { input: { text: 'x' } },
    request: { input: { text: 'x' }, omitted: { n: 'not sent; documented default 1' } },
  });
  await host.engine.interactions.resolve(host.owner, question?.id ?? '', { action: 'approve' });
  await expect.poll(sent).toEqual([{ text: 'x' }]);
});

test('An explanation uses the default, and a remembered rule names it', async () => {
  const asking = await rule('requireApproval', { field: 'n', equals: 1 });
  const explained = await host.engine.policies.explain(host.owner, { path: 'acme.optional', input: {} });
  expect(explained).toMatchObject({ decision: 'requireApproval', policy: { id: asking.id } });
  const run = await call('optional', {});
  const [question] = await host.asked(run.id);
  expect(question).toMatchObject({
    tool: { input: { n: 1 } },
    remember: { conditions: [{ field: 'n', equals: 1 }] },
  });
});

test('A rule that is added while a question is open decides with the default', async () => {
  await rule('requireApproval', { field: 'text', equals: 'x' });
  const open = async () => {
    const run = await call('optional', { text: 'x' });
    const [question] = await host.asked(run.id);
    return { run, id: question?.id ?? '' };
  };
  const [denied, again] = [await open(), await open()];
  await rule('deny', { field: 'n', equals: 1 });
  await host.engine.interactions.resolve(host.owner, denied.id, { action: 'approve' });
  await expect
    .poll(async () => (await host.engine.executions.get(host.owner, denied.run.id)).error?.name)
    .toBe('ToolDeniedError');
  const { items } = await host.engine.policies.list(host.owner, { limit: 10 });
  const deny = items.find(({ decision }) => decision === 'deny');
  await host.engine.policies.update(host.owner, deny?.id ?? '', { decision: 'requireApproval' });
  await host.engine.interactions.resolve(host.owner, again.id, { action: 'approve' });
  await expect
    .poll(async () => (await host.asked(again.run.id))[0]?.tool?.input)
    .toEqual({ text: 'x', n: 1 });
  expect(sent()).toEqual([]);
});

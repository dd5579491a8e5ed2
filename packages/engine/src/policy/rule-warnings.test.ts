import type { PolicyCondition } from '@executor/protocol';
import { describe, expect, test } from 'vitest';
import { knownTools } from '../../test/known-tools.ts';
import type { JsonSchema, Tool } from '../ports/source.ts';
import { ruleWarnings } from './rule-warnings.ts';

function tool(path: string, inputSchema: JsonSchema = { type: 'object' }, parts: Partial<Tool> = {}): Tool {
  const row = {
    path,
    description: '',
    effect: 'write' as const,
    repeatable: false,
    version: '1',
    origin: {},
  };
  return { ...row, inputSchema, ...parts };
}

const closed = (properties: Record<string, JsonSchema>) => ({
  type: 'object',
  properties,
  additionalProperties: false,
});

describe('a pattern', () => {
  const paths = ['github.issues.create', 'github.issues.list', 'github.repos.delete', 'payments.pay'];
  const tools = knownTools(...paths.map((path) => tool(path)));
  const warn = (pattern: string) => ruleWarnings({ pattern, conditions: [] }, tools, 'ws');

  test.each(['**', '*.**', 'github.**', 'github.*.create', '*.issues.*', 'payments.pay'])(
    '%s matches',
    async (pattern) => expect(await warn(pattern)).toEqual([]),
  );

  test.each([
    ['github.isues.create', 'github.issues.create'],
    ['github.isues.*', 'github.issues.*'],
    ['githb.**', 'github.**'],
    ['githb.isues.crate', 'github.issues.create'],
    ['github.*', 'github.**'],
    ['github.issues', 'github.issues.**'],
    ['github', 'github.**'],
    ['*.isues.list', '*.issues.list'],
    ['payment.pay', 'payments.pay'],
  ])('%s probably means %s', async (pattern, meant) =>
    expect(await warn(pattern)).toEqual([`No tool matches ${pattern}. Did you mean ${meant}?`]),
  );

  test.each(['slack.**', 'slack.post', 'github.calendar.**'])('%s is near nothing', async (pattern) =>
    expect(await warn(pattern)).toEqual([`No tool matches ${pattern}.`]),
  );
});

describe('a condition', () => {
  const warn = (inputSchema: JsonSchema, field: string, parts?: Partial<Tool>) => {
    const conditions: PolicyCondition[] = [{ field, equals: 1 }];
    const tools = knownTools(tool('a.b', inputSchema, parts));
    return ruleWarnings({ pattern: 'a.b', conditions }, tools, 'ws');
  };

  test('on a field that the tool does not have names the nearest', async () => {
    const schema = closed({ title: {}, repo: closed({ owner: {} }), 'x.y': {} });
    expect(await warn(schema, 'title')).toEqual([]);
    expect(await warn(schema, 'repo.owner')).toEqual([]);
    expect(await warn(schema, 'x.y')).toEqual([]);
    expect(await warn(schema, 'titel')).toEqual(['a.b has no field titel. Did you mean title?']);
    expect(await warn(schema, 'repo.ownr')).toEqual(['a.b has no field repo.ownr. Did you mean repo.owner?']);
    expect(await warn(schema, 'repos.owner')).toEqual([
      'a.b has no field repos.owner. Did you mean repo.owner?',
    ]);
    expect(await warn(schema, 'amount')).toEqual(['a.b has no field amount.']);
    expect(await warn(schema, 'title.text')).toEqual([]);
    expect(await warn(closed({ title: { type: 'string' } }), 'title.text')).toEqual([
      'a.b has no field title.text.',
    ]);
  });

  test('gives no warning if the schema leaves the field open', async () => {
    const ref = { $ref: '#/$defs/Body' };
    const open: JsonSchema[] = [
      true,
      {},
      { type: 'object' },
      { type: 'object', properties: { a: {} }, additionalProperties: true },
      { ...closed({}), additionalProperties: { type: 'string' } },
      { ...closed({}), patternProperties: { '^x-': {} } },
      { anyOf: [closed({ a: {} }), { type: 'object' }] },
      ref,
      { allOf: [ref] },
    ];
    for (const schema of open) expect(await warn(schema, 'x'), JSON.stringify(schema)).toEqual([]);
    expect(await warn('not a schema' as unknown as JsonSchema, 'x')).toEqual([]);
  });

  test('on a field that is not among the named ones gives a warning, also below others', async () => {
    const address = { type: 'object', properties: { city: { type: 'string' } } };
    const schema = closed({ payer: { type: 'object', properties: { address } } });
    expect(await warn(schema, 'payer.address.city')).toEqual([]);
    for (const typo of ['payer.adress.city', 'payer.address.cty'])
      expect((await warn(schema, typo)).join()).toContain('Did you mean payer.address.city?');
  });

  test('finds fields behind references and combinations', async () => {
    const body = closed({ amount: {}, next: { $ref: '#/$defs/Body' } });
    const definitions = {
      get: (name: string) => (name === 'Body' ? body : undefined),
      tracksEvaluated: false,
    };
    const found: JsonSchema[] = [
      { $ref: '#/$defs/Body' },
      { allOf: [{ $ref: '#/$defs/Body' }, { type: 'object' }] },
      { oneOf: [closed({ other: {} }), { $ref: '#/$defs/Body' }] },
    ];
    for (const schema of found) {
      expect(await warn(schema, 'amount', { definitions })).toEqual([]);
      expect(await warn(schema, 'next.next.amount', { definitions })).toEqual([]);
      expect(await warn(schema, 'amont', { definitions })).toEqual([
        'a.b has no field amont. Did you mean amount?',
      ]);
    }
    const endless = { get: () => ({ allOf: [{ $ref: '#/$defs/Body' }] }), tracksEvaluated: false };
    expect(await warn({ $ref: '#/$defs/Body' }, 'x', { definitions: endless })).toEqual([]);
  });

  test('is fine if one of the matching tools has the field', async () => {
    const tools = knownTools(tool('a.b', closed({ x: {} })), tool('a.c', closed({ y: {} })));
    const warnOn = (field: string) =>
      ruleWarnings({ pattern: 'a.*', conditions: [{ field, exists: true }] }, tools, 'ws');
    expect(await warnOn('y')).toEqual([]);
    expect(await warnOn('z')).toEqual(['No tool of a.* has the field z. Did you mean x?']);
  });
});

import type { PolicyCondition, PolicyDecision, PolicyScope } from '@executor/protocol';
import { describe, expect, test } from 'vitest';
import { seededRandom } from '../../../store/test/seeded-random.ts';
import { decide, type Rule, type RuledCall, strictness } from './decide.ts';

let count = 0;
function rule(
  pattern: string,
  decision: PolicyDecision,
  { scope = { type: 'workspace' }, conditions = [] }: Partial<Pick<Rule, 'scope' | 'conditions'>> = {},
): Rule {
  count += 1;
  return { id: `pol_${String(count).padStart(6, '0')}`, scope, pattern, conditions, decision };
}

function call(
  path: string,
  input: unknown = {},
  effect: 'read' | 'write' | 'destructive' = 'write',
): RuledCall {
  return { caller: { actorId: 'act_ada', clientId: 'robot' }, tool: { path, effect }, input };
}

const decisionOf = (rules: Rule[], ruled: RuledCall) => decide(rules, ruled).decision;
const when = (...conditions: PolicyCondition[]) => ({ conditions });
const json = (text: string): unknown => JSON.parse(text);

describe('a call that no rule matches', () => {
  test('is allowed if it reads; Executor asks otherwise', () => {
    const rules = [rule('slack.**', 'deny')];
    expect(decide(rules, call('github.issues.list', {}, 'read'))).toEqual({
      decision: 'allow',
      reason: 'No rule matches. The default for reads is allow.',
    });
    expect(decide(rules, call('github.issues.create'))).toEqual({
      decision: 'requireApproval',
      reason: 'No rule matches. The default for writes is ask.',
    });
    expect(decisionOf(rules, call('github.repos.delete', {}, 'destructive'))).toBe('requireApproval');
  });
});

describe('the defaults of a source', () => {
  const of = (approval: RuledCall['tool']['approval'], effect: 'read' | 'write' | 'destructive') => {
    const { tool, ...ruled } = call('github.issues.x', {}, effect);
    return { ...ruled, tool: { ...tool, ...(approval && { approval }) } };
  };

  test('count if no rule matches, but a destructive call always needs a rule', () => {
    expect(decide([], of({ read: 'required' }, 'read'))).toEqual({
      decision: 'requireApproval',
      reason: 'No rule matches. The default for reads of this source is ask.',
    });
    expect(decisionOf([], of({ write: 'auto' }, 'write'))).toBe('allow');
    expect(decisionOf([], of({ write: 'auto' }, 'destructive'))).toBe('requireApproval');
    expect(decisionOf([], of({ read: 'auto', write: 'required' }, 'write'))).toBe('requireApproval');
    expect(decisionOf([rule('github.**', 'deny')], of({ write: 'auto' }, 'write'))).toBe('deny');
    expect(decisionOf([rule('github.**', 'allow')], of({ read: 'required' }, 'read'))).toBe('allow');
    expect(decisionOf([rule('github.**', 'allow')], of({ write: 'required' }, 'destructive'))).toBe('allow');
  });

  test('do not allow a tool that nobody has reviewed, nor does a rule', () => {
    const unseen = (rules: Rule[], approval = {}) => {
      const { tool, ...ruled } = of(approval, 'write');
      return decide(rules, { ...ruled, tool: { ...tool, unseen: true } });
    };
    const allow = rule('github.**', 'allow');
    expect(unseen([allow])).toEqual({
      decision: 'requireApproval',
      reason: `Rule ${allow.id} for the workspace (github.**) says allow. But a refresh added this tool and nobody has reviewed it yet, so Executor asks.`,
      rule: allow,
    });
    expect(unseen([], { write: 'auto' }).decision).toBe('requireApproval');
    expect(unseen([rule('github.**', 'deny')]).decision).toBe('deny');
    expect(unseen([]).reason).toBe('No rule matches. The default for writes is ask.');
  });
});

describe('a pattern', () => {
  const covers = (pattern: string, path: string) =>
    decisionOf([rule(pattern, 'deny')], call(path)) === 'deny';

  test.each([
    ['github.issues.create', 'github.issues.create', true],
    ['github.issues.create', 'github.issues.create2', false],
    ['github.issues.create', 'github.issues', false],
    ['github.issues', 'github.issues.create', false],
    ['github.*.create', 'github.issues.create', true],
    ['github.*.create', 'github.a.b.create', false],
    ['github.*', 'github.issues.create', false],
    ['github.**', 'github.issues.create', true],
    ['github.**', 'github.issues', true],
    ['github.**', 'github', false],
    ['github.**', 'githubb.issues', false],
    ['*.**', 'github.issues', true],
    ['**', 'github', true],
    ['github.issues.create', 'GitHub.issues.create', false],
    // A Cyrillic letter that looks like an "i".
    ['github.issues.create', 'gіthub.issues.create', false],
    ['a.constructor', 'a.constructor', true],
    ['a.*', 'a.__proto__', true],
  ])('%s against %s: %s', (pattern, path, expected) => {
    expect(covers(pattern, path)).toBe(expected);
  });
});

describe('within one scope the most specific rule wins', () => {
  test.each([
    ['github.**', 'github.issues.create'],
    ['github.**', 'github.issues.**'],
    ['github.issues.**', 'github.issues.*'],
    ['github.issues.*', 'github.issues.create'],
    ['github.*.create', 'github.issues.*'],
    ['*.issues.create', 'github.**'],
    ['**', '*.**'],
    ['**', '*.*.*'],
    ['*.**', '*.*.*'],
  ])('%s yields to %s', (wider, narrower) => {
    const ruled = call('github.issues.create');
    for (const [one, other] of [['allow', 'deny'] as const, ['deny', 'allow'] as const]) {
      const rules = [rule(wider, one), rule(narrower, other)];
      expect(decide(rules, ruled)).toMatchObject({ decision: other, rule: { pattern: narrower } });
      expect(decisionOf(rules.toReversed(), ruled)).toBe(other);
    }
  });

  test('and of two rules with one pattern the one with more conditions', () => {
    const rules = [
      rule('a.b', 'deny'),
      rule('a.b', 'allow', when({ field: 'x', equals: 1 })),
      rule('a.b', 'requireApproval', when({ field: 'x', equals: 1 }, { field: 'y', equals: 2 })),
    ];
    expect(decisionOf(rules, call('a.b', { x: 1, y: 2 }))).toBe('requireApproval');
    expect(decisionOf(rules, call('a.b', { x: 1 }))).toBe('allow');
    expect(decisionOf(rules, call('a.b', {}))).toBe('deny');
  });

  test('a pattern outweighs any number of conditions', () => {
    const rules = [rule('a.b', 'deny'), rule('a.*', 'allow', when({ field: 'x', equals: 1 }))];
    expect(decisionOf(rules, call('a.b', { x: 1 }))).toBe('deny');
  });
});

describe('across scopes the strictest winner wins', () => {
  const actor: PolicyScope = { type: 'actor', actorId: 'act_ada' };
  const client: PolicyScope = { type: 'client', clientId: 'robot' };

  test('so a deny of the workspace cannot be weakened by a more specific rule', () => {
    const rules = [
      rule('**', 'deny'),
      rule('a.b', 'allow', { scope: actor }),
      rule('a.b', 'allow', { scope: client, conditions: [{ field: 'x', equals: 1 }] }),
    ];
    expect(decide(rules, call('a.b', { x: 1 }))).toMatchObject({ decision: 'deny', rule: { pattern: '**' } });
  });

  test('and a rule for an actor or a client applies to nobody else', () => {
    const rules = [rule('a.b', 'deny', { scope: actor }), rule('a.b', 'deny', { scope: client })];
    const others: RuledCall['caller'][] = [{ actorId: 'act_bob' }, { actorId: 'act_bob', clientId: 'Robot' }];
    for (const caller of others) {
      expect(decisionOf(rules, { ...call('a.b', {}, 'read'), caller })).toBe('allow');
    }
    expect(decisionOf(rules, call('a.b', {}, 'read'))).toBe('deny');
  });
});

describe('a condition', () => {
  const holds = (condition: PolicyCondition, input: unknown) =>
    decisionOf([rule('a.b', 'deny', when(condition))], call('a.b', input)) === 'deny';

  test('compares JSON values exactly', () => {
    const equals = (value: PolicyCondition & { equals: unknown }, input: unknown) => holds(value, input);
    expect(equals({ field: 'n', equals: 1 }, { n: 1.0 })).toBe(true);
    expect(equals({ field: 'n', equals: 1 }, { n: '1' })).toBe(false);
    expect(equals({ field: 'n', equals: 0 }, { n: -0 })).toBe(true);
    expect(equals({ field: 'n', equals: null }, { n: null })).toBe(true);
    expect(equals({ field: 'n', equals: null }, {})).toBe(false);
    expect(equals({ field: 'n', equals: false }, { n: 0 })).toBe(false);
    expect(equals({ field: 'n', equals: [1, { a: [] }] }, { n: [1, { a: [] }] })).toBe(true);
    expect(equals({ field: 'n', equals: { a: 1, b: 2 } }, { n: { b: 2, a: 1 } })).toBe(true);
    expect(equals({ field: 'n', equals: { a: 1 } }, { n: { a: 1, b: 2 } })).toBe(false);
    expect(equals({ field: 'n', equals: [] }, { n: {} })).toBe(false);
    // The same letter in two spellings.
    expect(equals({ field: 'n', equals: 'é' }, { n: 'e\u0301' })).toBe(false);
  });

  test('matches one of several values, or a prefix', () => {
    expect(holds({ field: 'repo', oneOf: ['a', { b: 1 }] }, { repo: { b: 1 } })).toBe(true);
    expect(holds({ field: 'repo', oneOf: ['a', 'b'] }, { repo: 'c' })).toBe(false);
    expect(holds({ field: 'path', prefix: '/safe/' }, { path: '/safe/x' })).toBe(true);
    expect(holds({ field: 'path', prefix: '/safe/' }, { path: ['/safe/x'] })).toBe(false);
    expect(holds({ field: 'path', prefix: '1' }, { path: 12 })).toBe(false);
    // A prefix is plain text. Nobody resolves paths or URLs here; docs/guides/write-policies.md says so.
    expect(holds({ field: 'path', prefix: '/safe/' }, { path: '/safe/../etc' })).toBe(true);
  });

  test('follows a dot into objects, and into nothing else', () => {
    expect(holds({ field: 'repo.owner', equals: 'ada' }, { repo: { owner: 'ada' } })).toBe(true);
    expect(holds({ field: 'repo.owner.name', equals: 'ada' }, { repo: { 'owner.name': 'ada' } })).toBe(true);
    expect(holds({ field: 'repo.owner', equals: 'ada' }, { 'repo.owner': 'ada' })).toBe(true);
    expect(holds({ field: 'items.0', equals: 1 }, { items: [1] })).toBe(false);
    expect(holds({ field: 'items.length', equals: 1 }, { items: [1] })).toBe(false);
    expect(holds({ field: 'name.length', equals: 1 }, { name: 'a' })).toBe(false);
    for (const input of [undefined, null, 'repo', 3, ['repo']]) {
      expect(holds({ field: 'repo', equals: 'ada' }, input)).toBe(false);
    }
  });

  test('ignores inherited properties', () => {
    expect(holds({ field: 'constructor.name', equals: 'Object' }, {})).toBe(false);
    expect(holds({ field: '__proto__.x', equals: 1 }, {})).toBe(false);
    expect(holds({ field: '__proto__.x', equals: 1 }, json('{"__proto__":{"x":1}}'))).toBe(true);
    expect(holds({ field: 'x', equals: 1 }, json('{"__proto__":{"x":1}}'))).toBe(false);
    const inherited = { field: 'o', equals: json('{"__proto__":{"x":1}}') } as PolicyCondition;
    expect(holds(inherited, { o: {} })).toBe(false);
    expect(holds(inherited, json('{"o":{"__proto__":{"x":1}}}'))).toBe(true);
  });

  test('cannot be bypassed by a key with a dot in it', () => {
    const owner: PolicyCondition = { field: 'repo.owner', equals: 'ada' };
    const two = { 'repo.owner': 'ada', repo: { owner: 'mallory' } };
    expect(decisionOf([rule('a.b', 'allow', when(owner))], call('a.b', two))).toBe('requireApproval');
    expect(decisionOf([rule('a.b', 'deny', when(owner))], call('a.b', two))).toBe('deny');
  });

  test('reads its field from a huge input without walking all of it', () => {
    let deep: Record<string, unknown> = {};
    for (let level = 0; level < 100_000; level++) deep = { a: deep };
    const field = Array.from({ length: 100 }, () => 'a').join('.');
    expect(holds({ field, equals: 1 }, deep)).toBe(false);
    expect(holds({ field: 'a', equals: { a: { a: 1 } } }, deep)).toBe(false);
  });
});

describe('for any rules and any call', () => {
  const random = seededRandom(20_261_116);
  const pick = <Value>(values: readonly Value[]): Value =>
    values[Math.floor(random() * values.length)] as Value;
  const scopes: PolicyScope[] = [
    { type: 'workspace' },
    { type: 'actor', actorId: 'act_ada' },
    { type: 'actor', actorId: 'act_bob' },
    { type: 'client', clientId: 'robot' },
  ];
  const conditions: PolicyCondition[] = [
    { field: 'x', equals: 1 },
    { field: 'x', oneOf: [1, 2] },
    { field: 'y', prefix: 'a' },
    { field: 'y.z', equals: true },
    { field: 'x', lessThanOrEqual: 1 },
    { field: 'x', greaterThan: 1 },
    { field: 'y', notEquals: 'ab' },
    { field: 'y', contains: 'b' },
    { field: 'y', exists: true },
  ];
  const decisions = ['allow', 'requireApproval', 'deny'] as const;
  const patterns = ['**', '*.**', 'a.**', 'a.*', '*.b', 'a.b', '*.*', 'a.c', 'b.**'];
  const anyRule = (decision = pick(decisions)) =>
    rule(pick(patterns), decision, {
      scope: pick(scopes),
      conditions: conditions.filter(() => random() < 0.25),
    });
  const anyCall = (): RuledCall => ({
    caller: pick([{ actorId: 'act_ada' }, { actorId: 'act_ada', clientId: 'robot' }, { actorId: 'act_bob' }]),
    tool: { path: pick(['a.b', 'a.c', 'b.a', 'a.b.c']), effect: pick(['read', 'write', 'destructive']) },
    input: pick([{}, { x: 1 }, { x: 2, y: 'ab' }, { x: '1' }, { y: { z: true }, x: 1 }, null]),
  });
  const cases = Array.from({ length: 5_000 }, () => ({
    rules: Array.from({ length: Math.floor(random() * 8) }, () => anyRule()),
    ruled: anyCall(),
  }));
  const shuffled = <Value>(values: Value[]) =>
    values
      .map((value) => ({ value, at: random() }))
      .sort((a, b) => a.at - b.at)
      .map(({ value }) => value);

  test('the order of the rules does not matter', () => {
    for (const { rules, ruled } of cases)
      expect(decide(shuffled(rules), ruled)).toEqual(decide(rules, ruled));
  });

  test('one more deny never loosens', () => {
    for (const { rules, ruled } of cases) {
      const before = strictness[decisionOf(rules, ruled)];
      expect(strictness[decisionOf([...rules, anyRule('deny')], ruled)]).toBeGreaterThanOrEqual(before);
    }
  });

  test('another scope never weakens the decision of a scope', () => {
    for (const { rules, ruled } of cases) {
      const whole = strictness[decisionOf(rules, ruled)];
      for (const type of ['workspace', 'actor', 'client'] as const) {
        const alone = decide(
          rules.filter(({ scope }) => scope.type === type),
          ruled,
        );
        if (alone.rule) expect(whole).toBeGreaterThanOrEqual(strictness[alone.decision]);
      }
    }
  });

  test('a tie goes to the stricter', () => {
    for (const { rules, ruled } of cases) {
      const { rule: winner, decision } = decide(rules, ruled);
      if (!winner) continue;
      for (const other of decisions) {
        const twin = { ...winner, id: 'pol_twin', decision: other };
        const expected = strictness[other] > strictness[decision] ? other : decision;
        expect(decisionOf([...rules, twin], ruled)).toBe(expected);
      }
    }
  });

  test('the rule that decided has made that decision, and matches by itself', () => {
    for (const { rules, ruled } of cases) {
      const { rule: winner, decision } = decide(rules, ruled);
      if (winner) expect(decide([winner], ruled)).toMatchObject({ decision, rule: winner });
      else expect(rules.every((one) => decide([one], ruled).rule === undefined)).toBe(true);
    }
  });
});

test('an ask or deny rule matches a large integer in both forms, an allow rule only in its own', () => {
  const asNumber = when({ field: 'id', equals: 9_007_199_254_740_992 });
  const asText = when({ field: 'id', oneOf: ['9007199254740993'] });
  const withText = call('bank.accounts.get', { id: '9007199254740993' }, 'read');
  const withNumber = call('bank.accounts.get', json('{ "id": 9007199254740993 }'), 'read');
  for (const conditions of [asNumber, asText]) {
    const rules = [rule('bank.accounts.get', 'deny', conditions)];
    expect([withText, withNumber].map((one) => decisionOf(rules, one))).toEqual(['deny', 'deny']);
  }
  const another = call('bank.accounts.get', { id: '9007199254740995' }, 'read');
  expect(decisionOf([rule('bank.accounts.get', 'deny', asText)], another)).toBe('allow');
  const write = call('bank.accounts.close', { id: '9007199254740993' });
  expect(decisionOf([rule('bank.**', 'allow', asNumber)], write)).toBe('requireApproval');
  expect(decisionOf([rule('bank.**', 'allow', asText)], write)).toBe('allow');
});

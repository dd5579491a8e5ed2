import type { Interaction } from '@executor/protocol';
import { expect, test } from 'vitest';
import { choicesFor, choicesForSeveral } from './choices.ts';
import { describeInteraction, describeSeveral } from './describe.ts';
import { pagesOf } from './pages.ts';

function interaction(parts: Partial<Interaction>): Interaction {
  return {
    id: 'int_1',
    kind: 'approval',
    status: 'pending',
    prompt: 'May it?',
    url: 'http://127.0.0.1/approvals/int_1',
    executionId: 'exe_1',
    askedBy: { kind: 'agent', ownerId: 'key_1', keyName: 'editor' },
    actions: [],
    createdAt: '2026-01-01T00:00:00.000Z',
    ...parts,
  };
}

const remember = {
  scope: { type: 'workspace' as const },
  pattern: 'a.b',
  conditions: [],
  decision: 'allow' as const,
};
const values = (parts: Partial<Interaction>, options = { browser: true, cut: false }) =>
  choicesFor(interaction(parts), options).map(({ value }) => value);

test('Each kind of question has its answers, and each can be postponed', () => {
  expect(values({ remember })).toEqual(['approve', 'identical', 'remember', 'deny', 'browser', 'later']);
  expect(values({})).toEqual(['approve', 'identical', 'deny', 'browser', 'later']);
  expect(values({ kind: 'reconcile' })).toEqual(['retry', 'complete', 'fail', 'browser', 'later']);
  for (const kind of ['elicitation', 'credential', 'oauth'] as const)
    expect(values({ kind })).toEqual(['submit', 'cancel', 'browser', 'later']);
  expect(values({}, { browser: false, cut: true })).toEqual([
    'whole',
    'approve',
    'identical',
    'deny',
    'later',
  ]);
});

test('Several approvals can be approved in one step only if nothing of them was cut', () => {
  const labels = (cut: boolean) => choicesForSeveral(5, { browser: false, cut }).map(({ label }) => label);
  const others = ['Answer them one by one', 'Deny all 5…', 'Later'];
  expect(labels(false)).toEqual(['Approve all 5', ...others]);
  expect(labels(true)).toEqual(['Show all of it', ...others]);
});

test('A list of approvals counts as cut if any part of one is cut', () => {
  const harmless = interaction({ tool: { path: 'a.b', input: {}, effect: 'write' }, request: { text: 'x' } });
  const long = { ...harmless, request: { text: `${'x'.repeat(500)} and the harm` } };
  const longPath = { ...harmless, tool: { path: 'a'.repeat(61), input: {}, effect: 'write' as const } };
  const spaced = { ...harmless, request: { text: 'two  spaces' } };
  for (const count of [1, 20]) {
    const others = Array.from({ length: count }, () => harmless);
    expect(describeSeveral(others).cut).toBe(false);
    expect(describeSeveral([...others, long]).cut).toBe(true);
    const whole = describeSeveral([...others, long], { whole: true });
    expect(whole.cut).toBe(false);
    expect(whole.lines.join('\n')).toContain('and the harm');
  }
  const many = Array.from({ length: 11 }, () => harmless);
  expect(describeSeveral(many).lines).toHaveLength(11);
  expect(describeSeveral([...many, longPath]).cut).toBe(true);
  expect(describeSeveral([...many, spaced]).cut).toBe(true);
});

test('A page fits on the screen, and all pages together contain everything', () => {
  const lines = ['one', '', 'x'.repeat(25), 'two\nthree'];
  expect(pagesOf(lines, { rows: 4, columns: 10 })).toEqual([
    ['one', '', 'x'.repeat(10), 'x'.repeat(10)],
    ['x'.repeat(5), 'two', 'three'],
  ]);
  expect(pagesOf(lines, { rows: -2, columns: 0 }).flat().join('')).toBe(`one${'x'.repeat(25)}twothree`);
});

test('A long request is cut with a note, and can be shown whole', () => {
  const long = interaction({
    request: Object.fromEntries(Array.from({ length: 100 }, (_, n) => [`f${n}`, n])),
  });
  const short = describeInteraction(long);
  expect({ cut: short.cut, last: short.lines.at(-1) }).toEqual({
    cut: true,
    last: '    … and 60 more lines',
  });
  const whole = describeInteraction(long, { whole: true });
  expect(whole.cut).toBe(false);
  expect(whole.lines.join('\n')).toMatch(/f99 +99$/m);
  const wide = describeInteraction(interaction({ request: 'x'.repeat(1_000) }));
  expect({ cut: wide.cut, last: wide.lines.at(-1) }).toEqual({
    cut: true,
    last: `    ${'x'.repeat(396)}… and 604 more characters`,
  });
});

test('A body with only a hash in the request is shown from the input of the code, and can be cut', () => {
  const request = { body: { bytes: 17_000, mediaType: 'text/plain', sha256: 'ab12' }, shortened: true };
  const input = { body: `${'x'.repeat(17_000)} and the harm` };
  const padded = interaction({ tool: { path: 'a.b', input, effect: 'write' }, request });
  const short = describeInteraction(padded);
  expect(short.cut).toBe(true);
  expect(short.lines).toContain('  what the code passed');
  const whole = describeInteraction(padded, { whole: true });
  expect(whole.cut).toBe(false);
  expect(whole.lines.join('\n')).toContain('and the harm');
  const brief = { ...padded, tool: { path: 'a.b', input: { file: 'art_1' }, effect: 'write' as const } };
  expect(describeInteraction(brief)).toMatchObject({
    lines: expect.arrayContaining(['      "file": "art_1"']),
    cut: false,
  });
  // One line has no room for both.
  const eleven = Array.from({ length: 11 }, () => brief);
  expect(describeSeveral(eleven).cut).toBe(true);
  expect(describeSeveral(eleven, { whole: true }).lines.join('\n')).toContain('art_1');
});

test('The input is shown if there is no request', () => {
  const { lines } = describeInteraction(
    interaction({ tool: { path: 'a.b', input: { x: 1 }, effect: 'destructive' } }),
  );
  expect(lines).toEqual([
    'May it?',
    '  sends',
    '    x             1',
    '  effect  destructive',
    '  tool    a.b',
  ]);
});

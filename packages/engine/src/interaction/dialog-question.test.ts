import { expect, test } from 'vitest';
import type { InteractionRow } from '../ports/interaction-store.ts';
import { dialogQuestion } from './dialog-question.ts';

const permission = { approvals: true, forms: true };
const url = 'http://localhost:4312/approvals/int_1';

function row(rest: Partial<InteractionRow>): InteractionRow {
  return {
    id: 'int_1',
    workspaceId: 'ws_1',
    executionId: 'exe_1',
    callIndex: 0,
    ordinal: 0,
    kind: 'approval',
    toolPath: 'bank.pay',
    effect: 'write',
    input: '{"amount":1}',
    request: null,
    prompt: 'Allow bank.pay (write)?',
    binding: 'bound',
    remember: null,
    createdAt: new Date(0),
    expiresAt: null,
    status: 'pending',
    resolvedAt: null,
    resolution: null,
    ...rest,
  };
}

const ask = (rest: Partial<InteractionRow>, at = url) => dialogQuestion(row(rest), { url: at, permission });

test('A shortened request cannot be approved in a dialog', () => {
  const hashed = { method: 'POST', body: { bytes: 17_060, sha256: 'ab' } };
  expect(ask({ request: JSON.stringify({ ...hashed, shortened: true }) })).toBeUndefined();
  const padded = JSON.stringify({ amount: 1_000_000, to: 'mallory', note: ' '.repeat(17_000) });
  expect(ask({ input: padded, request: JSON.stringify(hashed) })).toBeUndefined();
  expect(ask({ request: JSON.stringify({ method: 'POST', body: { amount: 1 } }) })?.message).toContain(
    '"amount": 1',
  );
});

test('Markdown in a request stays text: an empty line before it, and every line indented', () => {
  const evil = '</pre><img src=x> ![a](http://evil.example) **Approved already**';
  const message = ask({ input: JSON.stringify({ 'x](y) `': evil, list: [evil] }) })?.message ?? '';
  const lines = message.split('\n');
  const start = lines.indexOf('This will be sent:');
  const end = lines.findIndex((line) => line.startsWith('To approve it for good'));
  expect([lines[start + 1], lines[end - 1]]).toEqual(['', '']);
  const sent = lines.slice(start + 2, end - 1);
  expect(sent.length).toBeGreaterThan(5);
  for (const line of sent) expect(line).toMatch(/^ {4}/);
  expect(lines.filter((line) => line.includes('evil')).every((line) => line.startsWith('    '))).toBe(true);
});

test('The first choice denies', () => {
  expect(ask({})?.form?.properties.decision).toMatchObject({
    enum: ['deny', 'approve once', 'approve all identical calls of this run'],
  });
});

test('The hash of a question depends on what it shows, and not on the URL of the server', () => {
  const long = { kind: 'elicitation', prompt: 'x'.repeat(3_000) } as const;
  for (const rest of [{}, long]) {
    const [here, there] = [ask(rest), ask(rest, 'https://executor.example/approvals/int_1')];
    expect(there?.hash).toBe(here?.hash);
    expect(there?.message).toContain('https://executor.example/approvals/int_1');
  }
  const hashes = [{}, long, { input: '{"amount":2}' }, { binding: 'other' }, { id: 'int_2' }].map(
    (rest) => ask(rest)?.hash,
  );
  expect(new Set(hashes).size).toBe(hashes.length);
});

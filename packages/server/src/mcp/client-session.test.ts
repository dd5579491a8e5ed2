import { expect, test } from 'vitest';
import { clientNameOf, newClientSession } from './client-session.ts';

test('a session remembers the name of its client', () => {
  const session = newClientSession('Claude Code – Ünïcode');
  expect(session).toMatch(/^[\x21-\x7e]+$/);
  expect(clientNameOf(session)).toBe('Claude Code – Ünïcode');
  expect(newClientSession('Claude Code')).not.toBe(newClientSession('Claude Code'));
});

test('names that would disguise something, or are none, are made plain', () => {
  expect(clientNameOf(newClientSession('a\u202Eb\u001b[31m\n'))).toBe('ab[31m');
  expect(clientNameOf(newClientSession('x'.repeat(1_000)))).toHaveLength(60);
  for (const name of ['', '\n', 7, null, undefined, {}]) {
    expect(clientNameOf(newClientSession(name))).toBeUndefined();
  }
  for (const forged of ['', '.', 'a.%%%', `a.${'A'.repeat(9_000)}`]) {
    expect((clientNameOf(forged) ?? '').length).toBeLessThanOrEqual(60);
  }
});

import { expect, test } from 'vitest';
import { clientDialogsOf, clientNameOf, newClientSession } from './client-session.ts';

const newSession = (name: unknown) => newClientSession({ clientInfo: { name } });

test('A session remembers the name of its client', () => {
  const session = newSession('Claude Code – Ünïcode');
  expect(session).toMatch(/^[\x21-\x7e]+$/);
  expect(clientNameOf(session)).toBe('Claude Code – Ünïcode');
  expect(newSession('Claude Code')).not.toBe(newSession('Claude Code'));
});

test('Names with invisible characters are cleaned', () => {
  expect(clientNameOf(newSession('a\u202Eb\u001b[31m\n'))).toBe('ab[31m');
  expect(clientNameOf(newSession('x'.repeat(1_000)))).toHaveLength(60);
  for (const name of ['', '\n', 7, null, undefined, {}]) {
    expect(clientNameOf(newSession(name))).toBeUndefined();
  }
  for (const forged of ['', '.', 'a.%%%', `a.${'A'.repeat(9_000)}`]) {
    expect((clientNameOf(forged) ?? '').length).toBeLessThanOrEqual(60);
  }
});

test('A session remembers the dialogs of its client', () => {
  const of = (capabilities: unknown) => clientDialogsOf(newClientSession({ capabilities }));
  expect(of(undefined)).toEqual({ form: false, url: false });
  expect(of({ elicitation: {} })).toEqual({ form: true, url: false });
  expect(of({ elicitation: { form: {}, url: {} } })).toEqual({ form: true, url: true });
  expect(of({ elicitation: { url: {} } })).toEqual({ form: false, url: true });
  for (const odd of ['fu', 7, { elicitation: true }, { elicitation: [] }]) {
    expect(of(odd)).toEqual({ form: false, url: false });
  }
  for (const forged of ['', 'a', 'a.b', '..', 'a.b.xyz']) {
    expect(clientDialogsOf(forged)).toEqual({ form: false, url: false });
  }
});

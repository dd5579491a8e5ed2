import type { Principal } from '@executor/protocol';
import { expect, test } from 'vitest';
import { ConnectionSlots } from './connection-slots.ts';

const person: Principal = { kind: 'person', credential: 'localToken', workspaceId: 'ws', actorId: 'act' };
const agent = (apiKeyId: string): Principal => ({ ...person, kind: 'agent', credential: 'apiKey', apiKeyId });

test('Each credential has its own slots, and releasing one twice frees it once', () => {
  const slots = new ConnectionSlots({ perPrincipal: 2 });
  const release = slots.take(agent('one'));
  expect(slots.take(agent('one'))).toBeDefined();
  expect(slots.take(agent('one'))).toBeUndefined();
  expect(slots.take(agent('two'))).toBeDefined();
  release?.();
  release?.();
  expect(slots.take(agent('one'))).toBeDefined();
  expect(slots.take(agent('one'))).toBeUndefined();
});

test('Agents with many keys leave slots for people', () => {
  const slots = new ConnectionSlots({ perPrincipal: 2, agents: 3 });
  const releases = ['one', 'two', 'three'].map((key) => slots.take(agent(key)));
  expect(slots.take(agent('four'))).toBeUndefined();
  expect(slots.take(person)).toBeDefined();
  releases[0]?.();
  expect(slots.take(agent('four'))).toBeDefined();
  expect(slots.take(person)).toBeDefined();
  expect(slots.take(person)).toBeUndefined();
});

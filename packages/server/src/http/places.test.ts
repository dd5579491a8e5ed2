import type { Principal } from '@executor/protocol';
import { expect, test } from 'vitest';
import { Places } from './places.ts';

const person: Principal = { kind: 'person', credential: 'localToken', workspaceId: 'ws', actorId: 'act' };
const agent = (apiKeyId: string): Principal => ({ ...person, kind: 'agent', credential: 'apiKey', apiKeyId });

test('each credential has its own places, and gets them back once', () => {
  const places = new Places({ perPrincipal: 2 });
  const free = places.take(agent('one'));
  expect(places.take(agent('one'))).toBeDefined();
  expect(places.take(agent('one'))).toBeUndefined();
  expect(places.take(agent('two'))).toBeDefined();
  free?.();
  free?.();
  expect(places.take(agent('one'))).toBeDefined();
  expect(places.take(agent('one'))).toBeUndefined();
});

test('agents with many keys leave room for people', () => {
  const places = new Places({ perPrincipal: 2, agents: 3 });
  const freeing = ['one', 'two', 'three'].map((key) => places.take(agent(key)));
  expect(places.take(agent('four'))).toBeUndefined();
  expect(places.take(person)).toBeDefined();
  freeing[0]?.();
  expect(places.take(agent('four'))).toBeDefined();
  expect(places.take(person)).toBeDefined();
  expect(places.take(person)).toBeUndefined();
});
